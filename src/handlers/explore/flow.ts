import type { Sandbox } from '../../library/sandbox.ts'
import type { LogEvent } from '../../relay/stream.ts'
import type { Schedule } from '../../scenarios/deliveries.ts'
import type { TurnOfTime } from './instants.ts'

/** The events of a run to deliver, byte for byte, in log order. */
export type LogEvents = readonly LogEvent[]

/** With this event there is money again. */
export const RELOADED = 'billing.auto_reload_success'

/** A person new to the application. */
export interface Person {
  contactId: string
  phone: string
  email: string
}

/** A channel, and what may be sent over it. */
export type Consent = readonly ['RCS' | 'EMAIL', 'MESSAGE' | 'NEWSLETTER']

/** The environment of a flow: a sandbox with a frozen clock, and people of its own. */
export interface Stage extends Pick<Sandbox, 'client' | 'clock' | 'trigger' | 'url' | 'apiKey'> {
  /** The sending agent and email channel. */
  readonly agentId: string
  readonly channelId: string
  /** Another agent of the world, if it has one. */
  readonly otherAgentId: string
  /**
   * A new contact, with consent from the start if given; `how` names its only address, or a person with similar ones. One
   * that is imported has only the address of its consent.
   */
  person(consent?: Consent, how?: 'imported' | 'phone' | 'email' | Person): Promise<Person>
  /** Addresses that nobody has yet. */
  addresses(): Omit<Person, 'contactId'>
  /** A UUID unique to the run. */
  uuid(): string
  /** Chooses one of several; the variants of a flow take turns. */
  pick<T>(what: string, among: readonly T[]): T
}

/** An interaction between a service and people, which the application sees as events. */
export interface Flow {
  readonly name: string
  /** One sentence, without a full stop. */
  readonly summary: string
  /** Number of variants that its choices make; 1 by default. All have the same number of events. */
  readonly variants?: number | undefined
  /** An instant in the middle of its events, for each variant. */
  readonly instants?: readonly TurnOfTime[] | undefined
  /** Its events follow each other within a second. */
  readonly isQuick?: true | undefined
  /** It also happens to a large crowd. */
  readonly hasLargeCrowd?: true | undefined
  /**
   * It has too many events for every disturbance, or they change nothing but records of the application's own: all of them are
   * repeated after a long history, and nothing else.
   */
  readonly isUndisturbed?: true | 'without records' | undefined
  /** Runs the flow to its end; nothing is pending afterwards. */
  run(stage: Stage): Promise<void>
  /** The scenario behind the flow. */
  readonly scenario?: ScenarioSource | undefined
}

interface ScenarioSource {
  text: string
  /** Replaces the schedules of the explorer. */
  schedule?: Schedule | undefined
}
