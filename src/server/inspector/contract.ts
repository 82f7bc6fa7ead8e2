import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** The page for people at `/`, and what it loads. It is no part of the API, so no document and no client has it. */

const page = {
  output: z.string(),
  choice: true,
  needsNoToken: true,
  isUnrecorded: true,
  problems: ['not_found'],
  media: 'text/html; charset=utf-8',
} as const

/** Pictures and other media of messages are loaded from elsewhere only on a page that was asked for with `media=allow`. */
const Media = z.strictObject({ media: z.literal('allow').optional() })

export const openInspector = operation({
  ...page,
  id: 'inspector.open',
  summary: 'Look at the sandbox in a browser',
  call: 'GET /',
  query: Media,
})

export const loadInspectorFile = operation({
  ...page,
  id: 'inspector.file',
  summary: 'A file that the inspector loads',
  call: 'GET /inspector/{file}',
  query: Media,
})
