export { type ClientOptions, Refusal } from './client/call.ts'
export { type Client, createClient } from './client/client.ts'
export { InvalidAnswer } from './client/invalid-answer.ts'
export type { Saved } from './evidence/save.ts'
export {
  type Application,
  type Auditor,
  audit,
  type Belief,
  type Breach,
  createAuditor,
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
  type Surroundings,
  seenBy,
  seenRequest,
  type Webhook,
} from './handlers/library.ts'
export { Unreachable } from './http/exchange.ts'
export type { ArrivalOptions, Handset, LinkMatch, Mailbox } from './library/devices.ts'
export type {
  EmailLease,
  EmailLeaseOptions,
  Lease,
  LeaseOptions,
  Leases,
  PhoneLease,
  PhoneLeaseOptions,
} from './library/lease.ts'
export type {
  NodeHandler,
  ReceivedDelivery,
  Receiver,
  ReceiverAnswers,
  ReceiverOptions,
  WebHandler,
  WebhookHandler,
} from './library/receiver.ts'
export {
  type Advanced,
  type ConnectOptions,
  connectSandbox,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Triggered,
  type TriggerFields,
} from './library/sandbox.ts'
export { type EventMatch, EventMissing, type WaitOptions } from './library/wait-for.ts'
export type { EventName, EventSubscription, SandboxEvent } from './service/events/catalogue.ts'
