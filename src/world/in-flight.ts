import { after } from './time/machine-time.ts'

/** How long a world waits for requests that do not heed their signal, in ms of the machine. */
const GRACE_MS = 5_000

/** Requests that take longer than one turn of the event loop. They end before the world they work in is replaced. */
export class InFlight {
  readonly #pending = new Set<Promise<unknown>>()
  #stopping = new AbortController()

  get count(): number {
    return this.#pending.size
  }

  /** Aborts when the world is about to be replaced. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  track<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    const ended = done.then(nothing, nothing).finally(() => this.#pending.delete(ended))
    this.#pending.add(ended)
    return done
  }

  /** Asks all to end, and resolves when they have. Later ones are not asked. */
  async drain(): Promise<void> {
    this.#stopping.abort()
    this.#stopping = new AbortController()
    if (this.#pending.size === 0) return
    let giveUp = nothing
    const grace = new Promise<void>((resolve) => {
      giveUp = after(GRACE_MS, resolve)
    })
    await Promise.race([Promise.all(this.#pending), grace])
    giveUp()
  }
}

const nothing = () => {}
