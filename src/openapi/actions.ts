import { Reply } from '../words/reply.ts'
import type { AsyncAction } from '../world/noun.ts'
import type * as contract from './contract.ts'
import type { Part } from './document.ts'
import { docsPage } from './page.ts'
import type { JsonSchema } from './schema.ts'
import { viewerFile } from './viewer.ts'

/** Each is built once: that takes a third of a second, and the inspector reads both with each of its pages. */
const documents: Partial<Record<Part, JsonSchema>> = {}

async function documentText(part: Part, baseUrl: string): Promise<string> {
  // Imported on demand: loading every schema takes longer than a start may.
  const { documentOf, serversAt } = await import('./document.ts')
  documents[part] ??= documentOf(part, baseUrl)
  return JSON.stringify({ ...documents[part], servers: serversAt(baseUrl) })
}

export const serviceDocument: AsyncAction<typeof contract.showServiceDocument> = (_, { caller }) =>
  documentText('service', caller.baseUrl)

export const controlDocument: AsyncAction<typeof contract.showControlDocument> = (_, { caller }) =>
  documentText('control', caller.baseUrl)

async function docs(part: Part): Promise<Reply> {
  const { operationsOf } = await import('./document.ts')
  return docsPage(
    part,
    operationsOf(part).map(({ operation }) => operation),
  )
}

export const serviceDocs: AsyncAction<typeof contract.openServiceDocs> = () => docs('service')

export const controlDocs: AsyncAction<typeof contract.openControlDocs> = () => docs('control')

export const docsFile: AsyncAction<typeof contract.loadDocsFile> = async (_, { params }) => {
  const { bytes, type } = await viewerFile(params.file)
  return new Reply(bytes, { headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' } })
}
