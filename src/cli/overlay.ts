import type { ForPeople } from './output.ts'
import { agents } from './overlays/agents.ts'
import { billing } from './overlays/billing.ts'
import { campaigns } from './overlays/campaigns.ts'
import { carriers } from './overlays/carriers.ts'
import { clock } from './overlays/clock.ts'
import { consent } from './overlays/consent.ts'
import { contacts } from './overlays/contacts.ts'
import { events } from './overlays/events.ts'
import { explain } from './overlays/explain.ts'
import { faults } from './overlays/faults.ts'
import { handset } from './overlays/handset.ts'
import { inbox } from './overlays/inbox.ts'
import { logs } from './overlays/logs.ts'
import { mailbox } from './overlays/mailbox.ts'
import { messages } from './overlays/messages.ts'
import { rules } from './overlays/rules.ts'
import { testAgent } from './overlays/test-agent.ts'
import { webhooks } from './overlays/webhooks.ts'
import { world } from './overlays/world.ts'
import { worlds } from './overlays/worlds.ts'
import type { Session } from './session.ts'

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
  /** A second flag of a field that is true or false, which says that it is false: `--off` beside `--on`. */
  opposites?: Readonly<Record<string, string>>
  /** Fields that may be given as plain arguments, after those of the path. */
  positional?: readonly string[]
  /** Plain arguments that say several fields at once: `scaled:60`. */
  words?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>
  /** Objects whose fields are flags of their own: `match.to` is `--to`. Their names in this overlay have the dot. */
  spread?: readonly string[]
  /** The command can also be called under this name without its noun: `sandbox explain`. */
  shortcut?: string
  /** What is said of a path argument, and how it is read. */
  args?: Readonly<
    Record<string, { name?: string; describe?: string; read?: (text: string, session: Session) => Promise<string> }>
  >
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
  ...explain,
  ...webhooks,
  ...events,
  ...logs,
  ...clock,
  ...handset,
  ...mailbox,
  ...inbox,
  ...carriers,
  ...agents,
  ...faults,
  ...campaigns,
  ...billing,
  ...rules,
  ...testAgent,
  ...world,
  ...worlds,
}
