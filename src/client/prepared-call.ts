import type { HttpAnswer, HttpRequest } from '../http/exchange.ts'
import type { Operation } from '../words/operation.ts'

/** The part of an operation that a caller needs: of body and query their existence is enough, without the schemas. */
export type OperationInfo = Pick<
  Operation,
  | 'id'
  | 'summary'
  | 'details'
  | 'method'
  | 'path'
  | 'bodyOptional'
  | 'idempotency'
  | 'accepts'
  | 'media'
  | 'section'
  | 'destroys'
> & { readonly body?: unknown; readonly query?: unknown }

/** One call, ready to be sent. */
export interface PreparedCall {
  readonly operation: OperationInfo
  /** The body, or the query of an operation without a body. */
  readonly payload: unknown
  readonly request: HttpRequest
  /** The call only prepares another one, so a dry run sends it. */
  readonly isLookup: boolean
  /** The caller examines the answer itself. */
  readonly isUnchecked: boolean
  /** A refusal is an answer that the caller expects. */
  readonly expectsRefusal: boolean
}

/** Sends a call and resolves with the answer, whatever its status. */
export type Sender = (call: PreparedCall) => Promise<HttpAnswer>
