import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** Pages for browsers, outside the contract: neither client nor documents list them. */
const page = {
  output: z.string(),
  media: 'text/html; charset=utf-8',
  problems: ['not_found', 'consent_not_pending', 'doi_expired'],
  choice: true,
  openedAsLink: true,
} as const

export const openDoiLink = operation({
  ...page,
  id: 'consent.open_link',
  summary: 'The confirmation link of double opt-in, as a program opens it; a browser gets a page to confirm on',
  call: 'GET /_sandbox/doi/{token}',
})

export const confirmDoiLink = operation({
  ...page,
  id: 'consent.confirm_link',
  summary: 'What the button of that page does',
  call: 'POST /_sandbox/doi/{token}',
})
