import type { AnswerTo } from '../../client/answers.ts'

/** A call of an application, as far as an auditor looks at it. */
export interface SeenRequest {
  kind: 'request'
  /** When it came, ISO 8601. */
  at: string
  method: string
  /** With its query. */
  path: string
  /** null when no answer came. */
  status: number | null
  /** The error code of a refusal. */
  error: string | null
  idempotency_key: string | null
  /** An earlier answer was repeated. */
  replayed: boolean
  body: string | null
}

/** What an auditor is told, in the order in which the application saw or did it. */
export type Seen = { kind: 'event'; body: string } | SeenRequest

type Recorded = AnswerTo<'logs.list'>['requests'][number]

/** A request as `client.logs.list({ full: 'true' })` lists it. */
export const seenRequest = ({
  at,
  method,
  path,
  status,
  error,
  idempotency_key,
  replayed,
  request,
}: Recorded): Seen => ({
  kind: 'request',
  at,
  method,
  path,
  status,
  error,
  idempotency_key,
  replayed,
  body: request?.body ?? null,
})
