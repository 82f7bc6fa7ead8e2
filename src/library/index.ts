export type { ArrivalOptions, Handset, LinkMatch, Mailbox } from './devices.ts'
export type {
  EmailLease,
  EmailLeaseOptions,
  Lease,
  LeaseOptions,
  Leases,
  PhoneLease,
  PhoneLeaseOptions,
} from './lease.ts'
export type {
  NodeHandler,
  ReceivedDelivery,
  Receiver,
  ReceiverAnswers,
  ReceiverOptions,
  WebHandler,
  WebhookHandler,
} from './receiver.ts'
export type {
  Advanced,
  ConnectOptions,
  Sandbox,
  SandboxOptions,
  Triggered,
  TriggerFields,
} from './sandbox.ts'
export { connectSandbox, createSandbox } from './start.ts'
export { type EventMatch, EventMissing, type WaitOptions } from './wait-for.ts'
