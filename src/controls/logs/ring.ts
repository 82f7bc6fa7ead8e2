import type { LogEntry } from './exchange-record.ts'
import { LogGroup } from './log-group.ts'

export interface Bounds {
  most: number
  mostBytes: number
}

/** The newest requests of a world. The oldest are dropped beyond a number or a size. */
export class Ring {
  /** Distinguishes logs whose positions overlap. */
  readonly id: string
  /** Oldest first. */
  #groups: LogGroup[] = []
  #size = 0
  #bytes = 0
  #lastSeq = 0
  #dropped = 0
  readonly #listeners = new Set<() => void>()

  constructor(id: string) {
    this.id = id
  }

  get range() {
    return {
      first_seq: this.#lastSeq - this.#size + 1,
      last_seq: this.#lastSeq,
      dropped: this.#dropped,
      log_id: this.id,
    }
  }

  add(logged: LogEntry, { most, mostBytes }: Bounds) {
    logged.seq = ++this.#lastSeq
    this.#bytes += this.#newest().add(logged)
    this.#size++
    while (this.#size > most || (this.#bytes > mostBytes && this.#size > 1)) this.#drop()
    for (const listener of this.#listeners) listener()
  }

  *after(seq: number): Generator<LogEntry> {
    for (const group of this.#groups)
      if (group.lastSeq > seq) for (const entry of group.entries) if (entry.seq > seq) yield entry
  }

  *backwards(): Generator<LogEntry> {
    for (const group of this.#groups.toReversed()) yield* group.entries.toReversed()
  }

  /** Positions go on rising, so that a follower does not confuse new entries with old ones. */
  clear(): number {
    const cleared = this.#size
    this.#groups = []
    this.#size = 0
    this.#bytes = 0
    return cleared
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #newest(): LogGroup {
    const newest = this.#groups.at(-1)
    if (newest && !newest.isFull) return newest
    newest?.pack()
    const group = new LogGroup()
    this.#groups.push(group)
    return group
  }

  #drop() {
    const oldest = this.#groups[0]!
    this.#bytes -= oldest.drop()
    this.#size--
    this.#dropped++
    if (oldest.isEmpty) this.#groups.shift()
  }
}
