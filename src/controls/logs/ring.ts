import type { Logged } from './recorded.ts'

export interface Bounds {
  most: number
  mostBytes: number
}

/** What one entry takes beside its bodies, about. */
const ENTRY_BYTES = 2048
/** Room at the front that is given back in one go. */
const SLACK = 256

const sizeOf = ({ sent, answer }: Logged) => ENTRY_BYTES + (sent?.length ?? 0) + (answer?.length ?? 0)

/** The newest requests of a world. The oldest go when there are too many or they take too much. */
export class Ring {
  /** Tells one log from another whose positions look alike. */
  readonly id: string
  #entries: (Logged | undefined)[] = []
  #start = 0
  #bytes = 0
  #lastSeq = 0
  #dropped = 0
  readonly #listeners = new Set<() => void>()

  constructor(id: string) {
    this.id = id
  }

  get standing() {
    return {
      first_seq: this.#lastSeq - this.#size + 1,
      last_seq: this.#lastSeq,
      dropped: this.#dropped,
      log_id: this.id,
    }
  }

  add(logged: Logged, { most, mostBytes }: Bounds) {
    logged.seq = ++this.#lastSeq
    this.#entries.push(logged)
    this.#bytes += sizeOf(logged)
    while (this.#size > most || (this.#bytes > mostBytes && this.#size > 1)) this.#drop()
    for (const listener of this.#listeners) listener()
  }

  /** Those after a position, oldest first. */
  *after(seq: number): Generator<Logged> {
    const first = this.standing.first_seq
    for (let i = this.#start + Math.max(0, seq + 1 - first); i < this.#entries.length; i++) yield this.#entries[i]!
  }

  /** All of them, newest first. */
  *backwards(): Generator<Logged> {
    for (let i = this.#entries.length - 1; i >= this.#start; i--) yield this.#entries[i]!
  }

  /** Positions go on rising, so that who follows does not take what comes for what was. */
  clear(): number {
    const cleared = this.#size
    this.#entries = []
    this.#start = 0
    this.#bytes = 0
    return cleared
  }

  /** Calls back with every request; the returned function ends it. */
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
