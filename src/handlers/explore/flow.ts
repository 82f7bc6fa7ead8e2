import type { Sandbox } from '../../library/sandbox.ts'
import type { Schedule } from '../../scenarios/deliveries.ts'

/** Somebody whom nobody has met before. */
export interface Person {
  contactId: string
  phone: string
  email: string
}

/** What somebody has consented to from the beginning. */
export type Consent = readonly ['RCS' | 'EMAIL', 'MESSAGE' | 'NEWSLETTER'] | undefined

/** Where a flow happens: a sandbox on a frozen clock, with people of its own. */
export interface Stage extends Pick<Sandbox, 'client' | 'clock' | 'trigger' | 'url' | 'apiKey'> {
  /** The agent and the email channel that send. */
  readonly agentId: string
  readonly channelId: string
  person(consent?: Consent): Promise<Person>
  /** A UUID that no other run has. */
  uuid(): string
  /** One of several, drawn from the seed by what it decides. */
  pick<T>(what: string, among: readonly T[]): T
}

/** Something that happens between a service and people, told to the application in events. A flow is a value. */
export interface Flow {
  readonly name: string
  /** One sentence, without a full stop. */
  readonly summary: string
  /** Lets it happen, to its end: nothing is under way afterwards. */
  run(stage: Stage): Promise<void>
  /** Where it comes from. It speaks of people by their addresses, so each run begins in the same world. */
  readonly scenario?: ScenarioSource | undefined
}

export interface ScenarioSource {
  text: string
  /** Played instead of drawn ones. */
  schedule?: Schedule | undefined
}
