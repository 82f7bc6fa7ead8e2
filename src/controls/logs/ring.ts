import type { LogEntry } from './exchange-record.ts'

export interface Bounds {
  most: number
  mostBytes: number
}

/** Approximate size of an entry without its bodies. */
const ENTRY_BYTES = 2048
/** Free slots at the front are reclaimed in blocks of this size. */
const SLACK = 256

const sizeOf = ({ sent, answer }: LogEntry) => ENTRY_BYTES + (sent?.length ?? 0) + (answer?.length ?? 0)

/** The newest requests of a world. The oldest are dropped beyond a number or a size. */
export class Ring {
  /** Distinguishes logs whose positions overlap. */
  readonly id: string
  #entries: (LogEntry | undefined)[] = []
  #start = 0
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
    this.#entries.push(logged)
    this.#bytes += sizeOf(logged)
    while (this.#size > most || (this.#bytes > mostBytes && this.#size > 1)) this.#drop()
    for (const listener of this.#listeners) listener()
  }

  *after(seq: number): Generator<LogEntry> {
    const first = this.range.first_seq
    for (let i = this.#start + Math.max(0, seq + 1 - first); i < this.#entries.length; i++) yield this.#entries[i]!
  }

  *backwards(): Generator<LogEntry> {
    for (let i = this.#entries.length - 1; i >= this.#start; i--) yield this.#entries[i]!
  }

  /** Positions go on rising, so that a follower does not confuse new entries with old ones. */
  clear(): number {
    const cleared = this.#size
    this.#entries = []
    this.#start = 0
    this.#bytes = 0
    return cleared
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get #size(): number {
    return this.#entries.length - this.#start
  }

  #drop() {
    this.#bytes -= sizeOf(this.#entries[this.#start]!)
    this.#entries[this.#start++] = undefined
    this.#dropped++
    if (this.#start < SLACK) return
    this.#entries.splice(0, this.#start)
    this.#start = 0
  }
}
