import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** A page for browsers, not part of the contract: no client calls it, and no document tells of it. */
export const openDoiLink = operation({
  id: 'consent.open_link',
  section: 'control',
  summary: 'The confirmation link of double opt-in, as a browser opens it',
  method: 'get',
  path: '/_sandbox/doi/{token}',
  output: z.string(),
  media: 'text/html; charset=utf-8',
  status: 200,
  problems: ['not_found', 'consent_not_pending', 'doi_expired'],
  choice: true,
  openedAsLink: true,
})
