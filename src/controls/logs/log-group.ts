import type { LogEntry } from './exchange-record.ts'

/** Approximate size of an entry without its bodies. */
const ENTRY_BYTES = 2048
/** Few enough that V8 has not moved the first of them to its old space when the last one arrives. */
const FULL = 32
/** Buffers have multiples of this size, so that they fit other groups. */
const BLOCK_BYTES = 8 * 1024

const sizeOf = ({ sent, answer }: LogEntry) => ENTRY_BYTES + (sent?.length ?? 0) + (answer?.length ?? 0)
const isText = ({ sent, answer }: LogEntry) => !(Buffer.isBuffer(sent) || Buffer.isBuffer(answer))

/** The buffer of a group that was dropped. */
let spare: Buffer | undefined

/**
 * Neighbours in the request log. Under load, each entry would live until V8 has moved it to its old space, where it was a
 * third of all garbage. A full group is therefore kept as JSON outside V8's heap (`npm run bench memory`;
 * docs/decisions/speed-mechanisms.md).
 */
export class LogGroup {
  lastSeq = 0
  /** Undefined once they are packed; dropped ones are undefined too. */
  #entries: (LogEntry | undefined)[] | undefined = []
  #packed: Buffer | undefined
  #packedBytes = 0
  readonly #sizes: number[] = []
  #dropped = 0

  get isFull(): boolean {
    return this.#sizes.length === FULL
  }

  get isEmpty(): boolean {
    return this.#sizes.length === this.#dropped
  }

  /** Oldest first. */
  get entries(): LogEntry[] {
    const all = this.#entries ?? JSON.parse(this.#packed!.toString('utf8', 0, this.#packedBytes))
    return (all as LogEntry[]).slice(this.#dropped)
  }

  add(logged: LogEntry): number {
    const size = sizeOf(logged)
    this.#entries!.push(logged)
    this.#sizes.push(size)
    this.lastSeq = logged.seq
    return size
  }

  drop(): number {
    if (this.#entries) this.#entries[this.#dropped] = undefined
    const size = this.#sizes[this.#dropped++]!
    if (this.isEmpty) spare = this.#packed ?? spare
    return size
  }

  pack() {
    if (!this.entries.every(isText)) return
    const text = JSON.stringify(this.#entries)
    this.#packedBytes = Buffer.byteLength(text)
    if (spare === undefined || spare.length < this.#packedBytes)
      spare = Buffer.allocUnsafeSlow(Math.ceil(this.#packedBytes / BLOCK_BYTES) * BLOCK_BYTES)
    this.#packed = spare
    spare = undefined
    this.#packed.write(text)
    this.#entries = undefined
  }
}
