/** The deliveries that wait for each other: all, those of one record, or none. */
export type DeliveryOrder = 'log' | 'message' | 'none'

const MAX_CONCURRENT = 16

/** Runs work concurrently, except for equal keys, which run in order. */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>()
  readonly #waiting: (() => void)[] = []
  #free = MAX_CONCURRENT

  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    const before = key === undefined ? undefined : this.#tails.get(key)
    const mine = this.#after(before, work)
    if (key !== undefined) this.#append(key, mine)
    return mine
  }

  async #after<T>(before: Promise<void> | undefined, work: () => Promise<T>): Promise<T> {
    await before
    if (this.#free === 0) await new Promise<void>((enter) => this.#waiting.push(enter))
    else this.#free--
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #append(key: string, mine: Promise<unknown>) {
    const forget = () => void (this.#tails.get(key) === tail && this.#tails.delete(key))
    const tail: Promise<void> = mine.then(forget, forget)
    this.#tails.set(key, tail)
  }
}
