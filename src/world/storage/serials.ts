import type { metaStore } from './meta.ts'

/**
 * The number of ids reserved in one write. Every answer has a request id, so without blocks each read would
 * write (docs/decisions/speed-mechanisms.md).
 */
const BLOCK = 1_000

/** Counts ids of each kind from 1. After a kill the rest of a block is skipped; no number is used twice. */
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

  /** Marks numbers up to `n` as used. */
  skipTo(kind: string, n: number) {
    const used = this.#used.get(kind) ?? this.#meta.get<number>(keyOf(kind)) ?? 0
    if (n > used) this.#used.set(kind, n)
  }

  /** Reads again, because a rollback may have removed a reservation. */
  rolledBack() {
    this.#reserved.clear()
  }

  /** Runs work whose numbers are never shown, and uses them again. */
  givingBack<T>(work: () => T): T {
    const before = new Map(this.#used)
    try {
      return work()
    } finally {
      this.#used.clear()
      for (const [kind, used] of before) this.#used.set(kind, used)
    }
  }

  /** Returns unused reserved numbers. */
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
