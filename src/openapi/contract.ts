import { z } from 'zod'
import { operation } from '../words/operation.ts'

/**
 * Documents and pages about the interface. They are made from the API, so they are part of neither api.ts nor the
 * client nor the documents.
 */

const page = {
  output: z.string(),
  choice: true,
  access: 'anyone',
  isUnrecorded: true,
} as const
const json = { ...page, media: 'application/json' } as const
/** The page itself reads the namespace. The browser of an editor adds fields of its own. */
const Query = z.object({ namespace: z.string().optional().describe('Namespace whose key the page uses.') })
const html = { ...page, query: Query, media: 'text/html; charset=utf-8' } as const

export const showServiceDocument = operation({
  ...json,
  id: 'openapi.service',
  summary: 'Show the OpenAPI document of the service',
  call: 'GET /openapi.json',
})

export const showControlDocument = operation({
  ...json,
  id: 'openapi.control',
  summary: 'Show the OpenAPI document of the control plane',
  call: 'GET /_sandbox/openapi.json',
})

export const openServiceDocs = operation({
  ...html,
  id: 'docs.service',
  summary: 'Open the API reference of the service',
  call: 'GET /docs',
})

export const openControlDocs = operation({
  ...html,
  id: 'docs.control',
  summary: 'Open the API reference of the control plane',
  call: 'GET /_sandbox/docs',
})

export const loadDocsFile = operation({
  ...page,
  media: 'text/html; charset=utf-8',
  id: 'docs.file',
  summary: 'Get a file of the API reference',
  call: 'GET /docs/{file}',
  problems: ['not_found'],
})
