import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** The page at `/` with its files. It is not part of the API: neither documents nor the client have it. */

const page = {
  output: z.string(),
  choice: true,
  access: 'anyone',
  isUnrecorded: true,
  problems: ['not_found'],
  media: 'text/html; charset=utf-8',
} as const

/** Media of messages are loaded from elsewhere only with `media=allow`. */
const Media = z.strictObject({ media: z.literal('allow').optional() })

export const openInspector = operation({
  ...page,
  id: 'inspector.open',
  summary: 'Open the inspector',
  call: 'GET /',
  // The browser of an editor adds fields of its own to the address.
  query: z.object(Media.shape),
})

export const loadInspectorFile = operation({
  ...page,
  id: 'inspector.file',
  summary: 'Get a file of the inspector',
  call: 'GET /inspector/{file}',
  query: Media,
})
