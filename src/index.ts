export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  InvalidAnswer,
  type OperationInfo,
  type PreparedCall,
  Refusal,
  type Sender,
  Unreachable,
} from './client/index.ts'
export type { Saved } from './evidence/save.ts'
export {
  type Application,
  type Auditor,
  audit,
  type Belief,
  type Breach,
  createAuditor,
  type Environment,
  type Explored,
  type ExploreOptions,
  explore,
  type Failure,
  type Finding,
  type Flow,
  type HandlerFunction,
  type Person,
  type SavedSchedule,
  type Seen,
  type SeenRequest,
  type Stage,
  seenBy,
  seenRequest,
  type Webhook,
} from './handlers/library.ts'
export * from './library/index.ts'
export type { EventName, EventSubscription, SandboxEvent } from './service/events/catalogue.ts'
