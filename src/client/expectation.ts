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
      if (this.#wanted.subject !== undefined && FINAL.has(event.event)) this.#ended = event
    }
  }

  get isMet(): boolean {
    return this.matched.length >= this.#wanted.count
  }

  /** The final event of the subject (failed, expired or revoked), after which nothing can match. */
  get endedBy(): SeenEvent | undefined {
    return this.isMet || !/^(message|email)\./.test(this.#wanted.event) ? undefined : this.#ended
  }

  /**
   * The nearest mismatch: the right event with one wrong field rather than another event, later ones rather than
   * earlier ones.
   */
  get nearest(): Mismatch | undefined {
    return this.#misses.findLast(({ differs }) => differs !== 'event') ?? this.#misses.at(-1)
  }
}

const FINAL = new Set(['message.failed', 'message.expired', 'message.revoked', 'email.bounced'])

function mismatchOf(event: SeenEvent, { event: name, where }: Expectation): Mismatch | undefined {
  if (!isNamed(event.event, name)) return { event, differs: 'event', wanted: name, was: event.event }
  const broken = where.find((condition) => !holds(condition, event))
  if (!broken) return undefined
  return { event, differs: broken.path.join('.'), wanted: expectedText(broken), was: valueFor(broken, event) ?? null }
}

const isNamed = (name: string, wanted: string) =>
  wanted === '*' || (wanted.endsWith('.*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted)

/** Tells whether any id in the event is the subject. */
const isOf = ({ id, data }: SeenEvent, subject: string | undefined) =>
  subject === undefined || id === subject || Object.values(data).includes(subject)
