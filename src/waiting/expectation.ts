import { isSubscribed } from '../words/event-patterns.ts'
import { expectedText, holds, valueFor, type Where } from '../words/where.ts'

/** An event from the log of a sandbox, or derived from the message log of a service. */
export interface SeenEvent {
  /** Its position in the log; undefined for a service without one. */
  seq?: number | undefined
  id: string
  event: string
  timestamp: string
  data: Readonly<Record<string, unknown>>
}

export interface Expectation {
  /** An event name, or a family such as `message.*`. */
  event: string
  /** Restricts to events of a message, contact or other record. */
  subject?: string | undefined
  where: readonly Where[]
  /** A comparison beside the conditions; undefined if the event matches. */
  differs?: ((event: SeenEvent) => Pick<Mismatch, 'differs' | 'wanted' | 'was'> | undefined) | undefined
  /** The least number of matching events. */
  count: number
}

/** An event that differs from the expected one. */
export interface Mismatch {
  event: SeenEvent
  /** The difference: `event`, or the path of a condition. */
  differs: string
  wanted: string
  was: unknown
}

/** Matches events against an expectation as they arrive. */
export class Watch {
  readonly matched: SeenEvent[] = []
  readonly #misses: Mismatch[] = []
  readonly #wanted: Expectation
  #ended: SeenEvent | undefined

  constructor(wanted: Expectation) {
    this.#wanted = wanted
  }

  take(events: readonly SeenEvent[]) {
    for (const event of events) {
      if (!isOf(event, this.#wanted.subject)) continue
      const miss = mismatchOf(event, this.#wanted)
      if (miss) this.#misses.push(miss)
      else this.matched.push(event)
      if (this.#ends(event)) this.#ended = event
    }
  }

  get isMet(): boolean {
    return this.matched.length >= this.#wanted.count
  }

  /** The event of the subject after which nothing can match any more. */
  get endedBy(): SeenEvent | undefined {
    return this.isMet ? undefined : this.#ended
  }

  #ends({ event, data }: SeenEvent): boolean {
    const { subject, event: wanted } = this.#wanted
    const isOwn = subject !== undefined && (data.message_id === subject || data.run_id === subject)
    return isOwn && !canFollow(event, wanted)
  }

  /**
   * The nearest mismatch: the right event with one wrong field rather than another event, later ones rather than
   * earlier ones.
   */
  get nearest(): Mismatch | undefined {
    return this.#misses.findLast(({ differs }) => differs !== 'event') ?? this.#misses.at(-1)
  }
}

/** By event of a message or a run: the events of the same family that can still follow (interface §3.2, §3.4). */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  'message.delivered': ['message.read'],
  'message.read': [],
  'message.failed': [],
  'message.expired': [],
  'message.revoked': [],
  'email.bounced': [],
  'email.delivered': ['email.opened', 'email.clicked', 'email.bounced', 'email.complained', 'email.unsubscribed'],
  'email.clicked': ['email.opened', 'email.clicked', 'email.complained', 'email.unsubscribed'],
  'campaign.completed': [],
}

/** Emails have events of both families: `message.queued`, then `email.delivered`. */
const FAMILIES: Readonly<Record<string, string>> = { message: 'message', email: 'message', campaign: 'campaign' }
const familyOf = (event: string) => FAMILIES[event.split('.')[0]!]

function canFollow(event: string, wanted: string): boolean {
  const following = FOLLOWING[event]
  if (following === undefined || familyOf(event) !== familyOf(wanted)) return true
  return following.some((one) => isSubscribed([wanted], one))
}

function mismatchOf(event: SeenEvent, { event: name, where, differs }: Expectation): Mismatch | undefined {
  if (!isSubscribed([name], event.event)) return { event, differs: 'event', wanted: name, was: event.event }
  const broken = where.find((condition) => !holds(condition, event))
  if (!broken) {
    const difference = differs?.(event)
    return difference && { event, ...difference }
  }
  return { event, differs: broken.path.join('.'), wanted: expectedText(broken), was: valueFor(broken, event) ?? null }
}

/** The field of an event's data with the id of its record. */
export const subjectField = (data: Readonly<Record<string, unknown>>): string | undefined =>
  ['message_id', 'contact_id', 'run_id', 'campaign_id', 'agent_id'].find((field) => data[field] !== undefined)

/** The record that conditions name by its id. */
export const subjectIn = (where: readonly Where[]): string | undefined =>
  where.find(({ path, equals }) => SUBJECTS.has(path.at(-1)!) && equals && !equals.isNegated)?.equals?.value

const SUBJECTS = new Set(['message_id', 'run_id'])

/** Returns whether any id in the event is the subject. */
const isOf = ({ id, data }: SeenEvent, subject: string | undefined) =>
  subject === undefined || id === subject || Object.values(data).includes(subject)
