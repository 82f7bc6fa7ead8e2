import type { metaStore } from './meta.ts'

/**
 * How many numbers of a kind are set aside at once, so that counting costs no write per number. A stream of sends is a tenth
 * faster with it: `npm run bench send` (docs/decisions/speed-mechanisms.md).
 */
const BLOCK = 1_000

/** Counts each kind of id from 1. A killed process skips the rest of a block; none is ever given twice. */
export class Serials {
  readonly #meta: ReturnType<typeof metaStore>
  readonly #used = new Map<string, number>()
  readonly #reserved = new Map<string, number>()

  constructor(meta: ReturnType<typeof metaStore>) {
    this.#meta = meta
  }

  next(kind: string): number {
    const n = (this.#used.get(kind) ?? this.#meta.get<number>(keyOf(kind)) ?? 0) + 1
    if (n > (this.#reserved.get(kind) ?? 0)) this.#reserve(kind, n + BLOCK - 1)
    this.#used.set(kind, n)
    return n
  }

  /** The numbers up to this one are given away. */
  skipTo(kind: string, n: number) {
    const used = this.#used.get(kind) ?? this.#meta.get<number>(keyOf(kind)) ?? 0
    if (n > used) this.#used.set(kind, n)
  }

  /** A transaction was rolled back, and with it perhaps a reservation. */
  rolledBack() {
    this.#reserved.clear()
  }

  /** Runs some work whose numbers nobody gets to see, so that they are given again. */
  givingBack<T>(work: () => T): T {
    const before = new Map(this.#used)
    try {
      return work()
    } finally {
      this.#used.clear()
      for (const [kind, used] of before) this.#used.set(kind, used)
    }
  }

  /** Gives back what was set aside and not used. */
  persist() {
    for (const [kind, used] of this.#used) this.#meta.set(keyOf(kind), used)
    this.#reserved.clear()
  }

  #reserve(kind: string, upTo: number) {
    this.#meta.set(keyOf(kind), upTo)
    this.#reserved.set(kind, upTo)
  }
}

const keyOf = (kind: string) => `serial ${kind}`
