import { isoTime } from '../../world/time/clock.ts'
import { type Item, KINDS } from './item.ts'
import type { GatheredRequest, TimelineEntry } from './timeline.ts'

/** Operations that move the world's clock: their effects happen before they are answered. */
const MOVES_CLOCK = /^clock\./

/**
 * Sorts entries by the order in which they happened, with their time on the machine's clock. A frozen clock gives many entries
 * the same instant, so each is placed behind the request that caused it.
 */
export function inOrder(
  entries: readonly TimelineEntry[],
  requests: readonly GatheredRequest[],
  savedAt: string,
): Item[] {
  const places = new Places(requests, savedAt)
  return entries
    .map((entry, i) => ({ entry, i, place: entry.seq === undefined ? places.of(entry) : places.ofRequest(entry.seq) }))
    .sort(
      (a, b) =>
        a.place - b.place ||
        Date.parse(a.entry.at) - Date.parse(b.entry.at) ||
        KINDS.indexOf(a.entry.kind) - KINDS.indexOf(b.entry.kind) ||
        a.i - b.i,
    )
    .map(({ entry, place }) => {
      const { seq, subjects: _, ...item } = entry
      return { ...item, ...places.machineTime(place, entry.at, seq !== undefined) }
    })
}

/** A place is the index of the request that something follows; -1 before the first. */
class Places {
  readonly #requests: readonly GatheredRequest[]
  readonly #at: readonly number[]
  readonly #texts: readonly string[]
  readonly #savedAt: string

  constructor(requests: readonly GatheredRequest[], savedAt: string) {
    this.#requests = requests
    this.#savedAt = savedAt
    this.#at = requests.map(({ at }) => Date.parse(at))
    this.#texts = requests.map(({ path, response }) => `${path} ${response?.body ?? ''}`)
  }

  ofRequest = (seq: number) => this.#requests.findIndex((request) => request.seq === seq)

  /** The position after the request of the same instant that names it, or after the last earlier request. */
  of({ at, subjects }: TimelineEntry): number {
    const instant = Date.parse(at)
    const earlier = this.#at.findLastIndex((other) => other < instant)
    const last = this.#at.findLastIndex((other) => other <= instant)
    for (let i = earlier + 1; i <= last; i++)
      if (subjects.some((subject) => this.#texts[i]!.includes(subject))) return i
    return earlier < 0 ? last : earlier
  }

  machineTime(place: number, at: string, isRequest: boolean): Pick<Item, 'machine_at' | 'is_estimated'> {
    const cause = this.#requests[Math.max(place, 0)]
    if (!cause) return { machine_at: this.#savedAt, is_estimated: true }
    if (isRequest || at === cause.at || MOVES_CLOCK.test(cause.operation ?? ''))
      return { machine_at: cause.machine_at, is_estimated: !isRequest }
    return { machine_at: this.#between(cause, this.#requests[place + 1], at), is_estimated: true }
  }

  /** A running clock is assumed to run evenly between two requests. */
  #between(cause: GatheredRequest, next: GatheredRequest | undefined, at: string): string {
    const passed = Date.parse(at) - Date.parse(cause.at)
    const from = Date.parse(cause.machine_at)
    const until = Date.parse(next?.machine_at ?? this.#savedAt)
    const world = next ? Date.parse(next.at) - Date.parse(cause.at) : 0
    const share = world > 0 ? passed / world : 1
    return isoTime(next ? from + share * (until - from) : Math.min(from + passed, until))
  }
}
