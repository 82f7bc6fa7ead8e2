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
export {
  type Advanced,
  type ConnectOptions,
  connectSandbox,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Triggered,
  type TriggerFields,
} from './sandbox.ts'
export { type EventMatch, EventMissing, type WaitOptions } from './wait-for.ts'
