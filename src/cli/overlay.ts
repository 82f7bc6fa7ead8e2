import type { ForPeople } from './output.ts'
import { billing } from './overlays/billing.ts'
import { campaigns } from './overlays/campaigns.ts'
import { clock } from './overlays/clock.ts'
import { consent } from './overlays/consent.ts'
import { contacts } from './overlays/contacts.ts'
import { handset } from './overlays/handset.ts'
import { messages } from './overlays/messages.ts'
import { testAgent } from './overlays/test-agent.ts'
import { webhooks } from './overlays/webhooks.ts'

/** One command made from an operation; an operation can have several. */
export interface Variant {
  name: string
  summary: string
  /** Fields of the body that this command decides. */
  preset: Readonly<Record<string, unknown>>
  /** Fields that make no sense beside those. */
  without?: readonly string[]
  /** Fields that this command cannot do without, though the operation can. */
  required?: readonly string[]
}

/** What a command has that its operation does not say. */
export interface Overlay {
  /** Another command does this. */
  skip?: boolean
  /** Flag of a field where its own name would be clumsy. */
  flags?: Readonly<Record<string, string>>
  /** Fields that may be given as plain arguments, after those of the path. */
  positional?: readonly string[]
  /** What is said of a path argument, and how it is read. */
  args?: Readonly<Record<string, { name?: string; describe?: string; read?: (text: string) => string }>>
  variants?: readonly Variant[]
  /** What a table of the answer shows. */
  columns?: readonly string[]
  forPeople?: (answer: never) => ForPeople
  examples?: readonly string[]
}

/** By the id of the operation. Only what cannot be told from the contract stands here. */
export const overlays: Readonly<Record<string, Overlay>> = {
  ...contacts,
  ...consent,
  ...messages,
  ...webhooks,
  ...clock,
  ...handset,
  ...campaigns,
  ...billing,
  ...testAgent,
}

/** Under which heading `sandbox --help` lists a noun, and what it says of it. */
export const nouns: Readonly<Record<string, { group: string; summary: string }>> = {
  world: { group: 'Emulator:', summary: 'Show or reset the simulated world' },
  handset: { group: 'Emulator:', summary: 'Act as the owner of a simulated phone' },
  carriers: { group: 'Emulator:', summary: 'Let a simulated carrier fail and recover' },
  inbox: { group: 'Emulator:', summary: 'Show what a simulated phone or mailbox has received' },
  messages: { group: 'Messages:', summary: 'Get, list, watch and revoke messages' },
  contacts: { group: 'Contacts & consent:', summary: 'Create, import, get, update and delete contacts' },
  consent: { group: 'Contacts & consent:', summary: 'List, grant, request, revoke and confirm consent' },
  webhooks: { group: 'Webhooks:', summary: 'Manage the endpoints that receive events' },
  events: { group: 'Webhooks:', summary: 'Read the event log, deliveries and cursors; replay' },
  clock: { group: 'Time:', summary: "Show and move the world's clock" },
  agents: { group: 'Account:', summary: 'Create, edit and submit RCS agents' },
  'test-agent': { group: 'Account:', summary: 'Send a few messages to your own phone' },
  campaigns: { group: 'Account:', summary: 'Trigger, pause, resume and read campaigns' },
  billing: { group: 'Account:', summary: 'Show balance, usage and invoices; top up' },
}
