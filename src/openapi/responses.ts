import { isControl, type Operation, problemsOf, successStatuses } from '../words/operation.ts'
import { type ProblemCode, problems } from '../words/problem.ts'
import { problemContent, problemText } from './problems.ts'
import type { JsonSchema, Schemas } from './schema.ts'

const header = (description: string, type: 'integer' | 'string') => ({ description, schema: { type } })

/** Headers of answers (interface §4.7 and §8). */
export const headers = {
  'X-Request-Id': header('Names the request, for support and for the log of the sandbox.', 'string'),
  'X-RateLimit-Limit': header('Most requests of this kind in the current window.', 'integer'),
  'X-RateLimit-Remaining': header('Requests that are left in the window.', 'integer'),
  'X-RateLimit-Reset': header('When the window resets, Unix seconds.', 'integer'),
  'Retry-After': header('Seconds until the window resets.', 'integer'),
  'WWW-Authenticate': header('What the request must carry.', 'string'),
  'Idempotent-Replayed': header('"true" when an earlier answer is repeated.', 'string'),
}

type HeaderName = keyof typeof headers

const refer = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const always = (operation: Pick<Operation, 'path'>): HeaderName[] =>
  isControl(operation)
    ? ['X-Request-Id']
    : ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Every answer of an operation by its status. */
export function responsesOf(operation: Operation, schemas: Schemas): Record<string, JsonSchema> {
  const common = codesByStatus(problemsOf(anyOf(operation)))
  const refusals = Object.entries(codesByStatus(problemsOf(operation))).map(([status, codes]) => [
    status,
    common[status]?.length === codes.length
      ? { $ref: `#/components/responses/${nameOf(status)}` }
      : refusal(operation, Number(status), codes, schemas),
  ])
  return {
    ...Object.fromEntries(successStatuses(operation).map((status) => [status, success(operation, status, schemas)])),
    ...Object.fromEntries(refusals),
  }
}

/** The refusals that every operation beside this one can answer too. */
const anyOf = ({ path }: Pick<Operation, 'path'>) => ({ path, problems: [] })

const NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
}

function nameOf(status: string): string {
  const name = NAMES[status]
  if (name === undefined) throw new Error(`answers with ${status} that all operations share need a name`)
  return name
}

/** Answers that all operations of a part share, by name. */
export function commonResponses(path: string, schemas: Schemas): Record<string, JsonSchema> {
  const common = Object.entries(codesByStatus(problemsOf(anyOf({ path }))))
  return Object.fromEntries(
    common.map(([status, codes]) => [nameOf(status), refusal({ path }, Number(status), codes, schemas)]),
  )
}

function codesByStatus(codes: Iterable<ProblemCode>): Record<string, ProblemCode[]> {
  return Object.groupBy(codes, (code) => String(problems[code].status)) as Record<string, ProblemCode[]>
}

function success(operation: Operation, status: number, schemas: Schemas): JsonSchema {
  const names: HeaderName[] = [...always(operation), ...(operation.idempotency ? ['Idempotent-Replayed' as const] : [])]
  const said = { description: descriptionOf(operation, status), headers: refer(names) }
  if (status === 204) return said
  return { ...said, content: contentOf(operation, schemas) }
}

function descriptionOf(operation: Operation, status: number): string {
  if (status === 204) return 'Done; the answer has no body.'
  if (status === 202) return 'Accepted; it happens from now on.'
  if (status === 201) return 'Created.'
  return successStatuses(operation).length > 1 ? 'It existed already, and was updated.' : 'Done.'
}

function contentOf({ media, output }: Operation, schemas: Schemas): JsonSchema {
  if (media === undefined) return { 'application/json': { schema: schemas.of(output) } }
  const type = media.split(';')[0]!
  return { [type]: { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { contentMediaType: type }) } } }
}

function refusal(
  operation: Pick<Operation, 'path'>,
  status: number,
  codes: ProblemCode[],
  schemas: Schemas,
): JsonSchema {
  const names: HeaderName[] = [
    ...always(operation),
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(status === 429 ? ['Retry-After' as const] : []),
  ]
  return {
    description: problemText(codes),
    headers: refer(names),
    content: { 'application/json': problemContent(codes, schemas) },
  }
}
