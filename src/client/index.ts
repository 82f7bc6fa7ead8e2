export { Unreachable } from '../http/exchange.ts'
export {
  type CallOptions,
  type ClientOptions,
  type OperationInfo,
  type PreparedCall,
  Refusal,
  type Sender,
} from './call.ts'
// With the types of all bodies and answers, which the build declares there: a project that emits declarations must name them.
export type * from './client.ts'
export { createClient } from './client.ts'
export { InvalidAnswer } from './invalid-answer.ts'
