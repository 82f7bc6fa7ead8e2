import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** Pages for browsers, outside the contract: neither client nor documents list them. */
const page = {
  output: z.string(),
  /** Parameters are ignored, because mail clients add some to links. */
  query: z.object({}),
  media: 'text/html; charset=utf-8',
  problems: ['not_found', 'consent_not_pending', 'doi_expired'],
  choice: true,
  access: 'link',
} as const

export const openDoiLink = operation({
  ...page,
  id: 'consent.open_link',
  summary: 'Open the confirmation link of double opt-in',
  details: 'A browser gets a page with a button; a program confirms by opening the link.',
  call: 'GET /_sandbox/doi/{token}',
})

export const confirmDoiLink = operation({
  ...page,
  id: 'consent.confirm_link',
  summary: 'Confirm double opt-in on the page of the link',
  call: 'POST /_sandbox/doi/{token}',
})
