import { isControl, type Operation, problemsOf, successStatuses } from '../words/operation.ts'
import { type ProblemCode, problems } from '../words/problem.ts'
import { problemContent, problemText, sandboxOnly } from './problems.ts'
import { sampleOf } from './sample.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

const header = (description: string, type: 'integer' | 'string', example: unknown) => ({
  description,
  schema: { type },
  example,
})

/** Headers of answers (interface §4.7 and §8). */
export const headers = {
  'X-Request-Id': header(
    'Id of the request, for support and the log of the sandbox.',
    'string',
    'req_00000000-0000-4000-8000-000000000001',
  ),
  'X-RateLimit-Limit': header('Maximum number of requests of this kind in the current window.', 'integer', 6000),
  'X-RateLimit-Remaining': header('Number of requests left in the window.', 'integer', 5999),
  'X-RateLimit-Reset': header('Time when the window resets, in Unix seconds.', 'integer', 1767225660),
  'Retry-After': {
    ...header(
      'Seconds to wait before the next attempt. On every 429, and on a 503 that is known to end.',
      'integer',
      12,
    ),
    ...CHOICE,
  },
  'WWW-Authenticate': header('Required authentication.', 'string', 'Bearer'),
  'Idempotent-Replayed': { ...header('"true" if an earlier answer is repeated.', 'string', 'true'), ...CHOICE },
  'Content-Disposition': {
    ...header('Name under which to save the file.', 'string', 'attachment; filename="INV-2026-01.pdf"'),
    ...CHOICE,
  },
  'X-Sandbox-Fault': {
    ...header(
      'Id of the fault that changed this answer; only in a sandbox.',
      'string',
      'flt_00000000-0000-4000-8000-000000000001',
    ),
    ...CHOICE,
  },
}

type HeaderName = keyof typeof headers

const refer = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const always = (operation: Pick<Operation, 'path'>): HeaderName[] =>
  isControl(operation)
    ? ['X-Request-Id']
    : ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Sandbox-Fault']

/** All answers of an operation by status. */
export function responsesOf(operation: Operation, schemas: Schemas): Record<string, JsonSchema> {
  const common = codesByStatus(problemsOf(commonProblemsOf(operation)))
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

/** Refusals that every operation can answer, except this one. */
const commonProblemsOf = ({ path }: Pick<Operation, 'path'>) => ({
  path,
  problems: [],
  access: isControl({ path }) ? ('namespace' as const) : ('key' as const),
})

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

/** Shared answers of a part, by name. */
export function commonResponses(path: string, schemas: Schemas): Record<string, JsonSchema> {
  const common = Object.entries(codesByStatus(problemsOf(commonProblemsOf({ path }))))
  return Object.fromEntries(
    common.map(([status, codes]) => [nameOf(status), refusal({ path }, Number(status), codes, schemas)]),
  )
}

function codesByStatus(codes: Iterable<ProblemCode>): Record<string, ProblemCode[]> {
  return Object.groupBy(codes, (code) => String(problems[code].status)) as Record<string, ProblemCode[]>
}

function success(operation: Operation, status: number, schemas: Schemas): JsonSchema {
  const names: HeaderName[] = [
    ...always(operation),
    ...(operation.idempotency ? (['Idempotent-Replayed'] as const) : []),
    ...(isFile(operation) ? (['Content-Disposition'] as const) : []),
  ]
  const response = { description: descriptionOf(operation, status), ...markOf(operation), headers: refer(names) }
  if (status === 204) return response
  return { ...response, content: contentOf(operation, schemas) }
}

/** Marks a call that the interface does not have. */
const markOf = (operation: Operation) =>
  isControl(operation) || operation.choice || operation.isStatusStated ? {} : CHOICE

/** A download rather than text. */
const isFile = ({ media = '' }: Operation) => /pdf|sqlite|octet-stream/.test(media)

function descriptionOf(operation: Operation, status: number): string {
  if (status === 204) return 'Done; the answer has no body.'
  if (status === 202) return 'Accepted; the work has started.'
  if (status === 201) return 'Created.'
  return successStatuses(operation).length > 1 ? 'The record existed and was updated.' : 'Done.'
}

function contentOf({ media, output }: Operation, schemas: Schemas): JsonSchema {
  if (media === undefined) {
    const schema = schemas.of(output)
    return { 'application/json': { schema, example: sampleOf(schema, schemas.components) } }
  }
  const type = media.split(';')[0]!
  return { [type]: { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { contentMediaType: type }) } } }
}

/** Statuses of requests without a known key: Node could not read them. */
const UNREAD = [408, 431]

function refusal(
  operation: Pick<Operation, 'path'>,
  status: number,
  codes: ProblemCode[],
  schemas: Schemas,
): JsonSchema {
  const names: HeaderName[] = [
    ...(UNREAD.includes(status) ? (['X-Request-Id'] as const) : always(operation)),
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(status === 429 || status === 503 ? ['Retry-After' as const] : []),
  ]
  return {
    description: problemText(codes),
    ...sandboxOnly(codes),
    headers: refer(names),
    content: { 'application/json': problemContent(codes, schemas, operation.path) },
  }
}
