import type { AnswerTo } from '../../client/answers.ts'

/** The parts of a call that an auditor uses. */
export interface SeenRequest {
  kind: 'request'
  /** ISO 8601. */
  at: string
  method: string
  /** Path with query. */
  path: string
  /** null without an answer. */
  status: number | null
  /** The error code of a refusal. */
  error: string | null
  idempotency_key: string | null
  /** The answer repeated an earlier one. */
  replayed: boolean
  body: string | null
  /** The application never got the answer. */
  isUnanswered?: boolean
}

/** Events and requests in the order in which the application received or made them. */
export type Seen = { kind: 'event'; body: string } | SeenRequest

type Recorded = AnswerTo<'logs.list'>['requests'][number]

/** Converts an entry of `client.logs.list({ full: 'true' })`. */
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
  ...{ kind: 'request', at, method, path, status, error, idempotency_key, replayed },
  body: request?.body ?? null,
})
