import { isControl, type Operation } from '../words/operation.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { sampleOf } from './sample.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

/** A dot in an operationId is more than many generators of clients can name. */
export const idOf = (id: string): string => id.replaceAll('.', '_')

/** An operation as OpenAPI's Operation Object. */
export function operationObject(operation: Operation, tag: string, schemas: Schemas): JsonSchema {
  const parameters = parametersOf(operation, schemas)
  return {
    operationId: idOf(operation.id),
    tags: [tag],
    summary: operation.summary,
    description: sourceOf(operation),
    ...(operation.choice ? CHOICE : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas),
  }
}

/** The control plane takes a key only to know which world is meant, and a token where it is open to others. */
function securityOf(operation: Operation): JsonSchema[] {
  if (!isControl(operation)) return [{ apiKey: [] }]
  if (operation.needsNoToken || operation.openedAsLink) return [{ apiKey: [] }, {}]
  return [{ apiKey: [] }, {}, { apiKey: [], controlToken: [] }, { controlToken: [] }]
}

function sourceOf({ section, choice }: Operation): string {
  if (section === undefined) return 'Belongs to the sandbox; the service has nothing like it.'
  return choice
    ? `The interface names it in section ${section}; what it takes and answers was chosen by this sandbox.`
    : `Section ${section} of the interface.`
}

function requestBodyOf({ body, examples, bodyOptional = false, accepts }: Operation, schemas: Schemas): JsonSchema {
  if (!body) return {}
  if (accepts) return { requestBody: { required: !bodyOptional, content: { [accepts]: { schema: {} } } } }
  const schema = schemas.of(body)
  const example = examples[0] ?? sampleOf(schema, schemas.components)
  return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema, example } } } }
}
