import { foundBy, holds, type Where, wantedBy } from '../words/where.ts'

/** An event as the log of a sandbox shows it, or as the message log of a service lets one see it. */
export interface SeenEvent {
  /** Its place in the log; a service has none. */
  seq?: number | undefined
  id: string
  event: string
  timestamp: string
  data: Readonly<Record<string, unknown>>
}

export interface Expectation {
  /** Name of the event, or a family such as `message.*`. */
  event: string
  /** Only events of this message, contact or other record. */
  subject?: string | undefined
  where: readonly Where[]
  /** So many, at least. */
  count: number
}

/** An event that is not what was expected, and how it differs. */
export interface Mismatch {
  event: SeenEvent
  /** `event`, or the path of a condition. */
  differs: string
  wanted: string
  was: unknown
}

/** Holds events against an expectation as they come. */
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

  /** The event after which nothing that is expected can come: the message has failed, expired or was revoked. */
  get endedBy(): SeenEvent | undefined {
    return this.isMet || !/^(message|email)\./.test(this.#wanted.event) ? undefined : this.#ended
  }

  /** What came nearest: a right event with one wrong field rather than another event, the latest rather than older ones. */
  get nearest(): Mismatch | undefined {
    return this.#misses.findLast(({ differs }) => differs !== 'event') ?? this.#misses.at(-1)
  }
}

const FINAL = new Set(['message.failed', 'message.expired', 'message.revoked', 'email.bounced'])

function mismatchOf(event: SeenEvent, { event: name, where }: Expectation): Mismatch | undefined {
  if (!isNamed(event.event, name)) return { event, differs: 'event', wanted: name, was: event.event }
  const broken = where.find((condition) => !holds(condition, event))
  if (!broken) return undefined
  return { event, differs: broken.path.join('.'), wanted: wantedBy(broken), was: foundBy(broken, event) ?? null }
}

const isNamed = (name: string, wanted: string) =>
  wanted === '*' || (wanted.endsWith('.*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted)

/** Whether any id in the event is that of the subject. */
const isOf = ({ id, data }: SeenEvent, subject: string | undefined) =>
  subject === undefined || id === subject || Object.values(data).includes(subject)
