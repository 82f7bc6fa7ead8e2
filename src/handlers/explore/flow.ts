import type { Sandbox } from '../../library/sandbox.ts'
import type { Schedule } from '../../scenarios/deliveries.ts'

/** A person new to the application. */
export interface Person {
  contactId: string
  phone: string
  email: string
}

/** Consent from the start. */
type Consent = readonly ['RCS' | 'EMAIL', 'MESSAGE' | 'NEWSLETTER'] | undefined

/** The surroundings of a flow: a sandbox on a frozen clock, with people of its own. */
export interface Stage extends Pick<Sandbox, 'client' | 'clock' | 'trigger' | 'url' | 'apiKey'> {
  /** The sending agent and email channel. */
  readonly agentId: string
  readonly channelId: string
  person(consent?: Consent): Promise<Person>
  /** A UUID unique to the run. */
  uuid(): string
  /** Draws one of several from the seed. */
  pick<T>(what: string, among: readonly T[]): T
}

/** An interaction between a service and people, which the application sees as events. */
export interface Flow {
  readonly name: string
  /** One sentence, without a full stop. */
  readonly summary: string
  /** Runs the flow to its end; nothing is under way afterwards. */
  run(stage: Stage): Promise<void>
  /** The scenario behind the flow. It names people by address, so each run starts in the same world. */
  readonly scenario?: ScenarioSource | undefined
}

interface ScenarioSource {
  text: string
  /** Replaces drawn schedules. */
  schedule?: Schedule | undefined
}
