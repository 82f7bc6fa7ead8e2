export { type ClientOptions, Refusal } from './client/call.ts'
export { type Client, createClient } from './client/client.ts'
export { Unreachable } from './http/exchange.ts'
export {
  type Advanced,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Triggered,
  type TriggerFields,
} from './library/sandbox.ts'
