import type { AnswerTo, OperationId } from '../../client/answers.ts'
import { type CallOptions, type ClientOptions, call, resultOf } from '../../client/call.ts'
import { operationOf } from '../../client/operation-of.ts'
import type { Io } from '../process/io.ts'

interface CallArguments extends CallOptions {
  params?: Record<string, string>
  /** The body; for an operation without body, the query. */
  payload?: unknown
}

/** The parts of a session that a call needs. */
export interface CallingSession {
  io: Io
  endpoint: ClientOptions
}

/** For people, with an answer that the service has given before. */
export const REPEATED = '  This key was used before: the answer is repeated, and nothing is done again.'

/** Calls an operation by its id. Throws a Refusal where the service refuses. */
export async function callOperation<Id extends OperationId>(
  { endpoint, io }: CallingSession,
  id: Id,
  { params = {}, payload, ...options }: CallArguments = {},
): Promise<AnswerTo<Id>> {
  return resultOf(
    await call(endpoint, operationOf(id), params, payload, { signal: io.signal, ...options }),
  ) as AnswerTo<Id>
}
