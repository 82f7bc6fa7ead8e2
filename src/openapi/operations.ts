import { isControl, type Operation } from '../words/operation.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { sampleOf } from './sample.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

/** Many client generators accept no dot in an operationId. */
export const idOf = (id: string): string => id.replaceAll('.', '_')

export function operationObject(operation: Operation, tag: string, schemas: Schemas): JsonSchema {
  const parameters = parametersOf(operation, schemas)
  return {
    operationId: idOf(operation.id),
    tags: [tag],
    summary: operation.summary,
    description: [operation.details, sourceOf(operation)].filter(Boolean).join(' '),
    ...(operation.choice ? CHOICE : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas),
  }
}

/** In the control plane the key only names the world; the token is needed where other machines can connect. */
function securityOf(operation: Operation): JsonSchema[] {
  if (!isControl(operation)) return [{ apiKey: [] }]
  if (operation.access === 'anyone' || operation.access === 'link') return [{ apiKey: [] }, {}]
  return [{ apiKey: [] }, {}, { apiKey: [], controlToken: [] }, { controlToken: [] }]
}

function sourceOf({ section, choice }: Operation): string {
  if (section === undefined) return 'Exists in the sandbox only; the service has no such operation.'
  return choice
    ? `Named in section ${section} of the interface; request and answer are a choice of this sandbox.`
    : `Section ${section} of the interface.`
}

function requestBodyOf({ body, examples, bodyOptional = false, accepts }: Operation, schemas: Schemas): JsonSchema {
  if (!body) return {}
  if (accepts) return { requestBody: { required: !bodyOptional, content: { [accepts]: { schema: {} } } } }
  const schema = schemas.of(body)
  const example = examples[0] ?? sampleOf(schema, schemas.components)
  return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema, example } } } }
}
