import type { AnswerTo, OperationId } from '../../client/answers.ts'
import { type CallOptions, type ClientOptions, call, type OperationInfo, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { placeOf } from '../../words/operation.ts'
import type { Session } from './session.ts'

interface CallArguments extends CallOptions {
  params?: Record<string, string>
  /** The body; for an operation without body, the query. */
  payload?: unknown
}

interface Caller extends Pick<Session, 'io'> {
  endpoint: ClientOptions
}

/** Calls an operation by its id. Throws a Refusal where the service refuses. */
export async function callOperation<Id extends OperationId>(
  { endpoint, io }: Caller,
  id: Id,
  { params = {}, payload, ...options }: CallArguments = {},
): Promise<AnswerTo<Id>> {
  const { noun, verb } = placeOf({ id })
  const operation = (operations as Record<string, Record<string, OperationInfo>>)[noun]![verb]!
  return resultOf(await call(endpoint, operation, params, payload, { signal: io.signal, ...options })) as AnswerTo<Id>
}
