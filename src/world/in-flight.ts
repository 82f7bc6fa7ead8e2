import { after } from './time/machine-time.ts'

/** How long a world waits for requests that do not heed their signal, in ms of the machine. */
const GRACE_MS = 5_000

/** Requests that take longer than one turn of the event loop. They end before the world they work in is replaced. */
export class Uses {
  readonly #underWay = new Set<Promise<unknown>>()
  #ending = new AbortController()

  get count(): number {
    return this.#underWay.size
  }

  /** Aborts when the world is about to be replaced. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    const ended = done.then(nothing, nothing).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
    return done
  }

  /** Asks all to end, and resolves when they have. Later ones are not asked. */
  async end(): Promise<void> {
    this.#ending.abort()
    this.#ending = new AbortController()
    if (this.#underWay.size === 0) return
    let giveUp = nothing
    const grace = new Promise<void>((resolve) => {
      giveUp = after(GRACE_MS, resolve)
    })
    await Promise.race([Promise.all(this.#underWay), grace])
    giveUp()
  }
}

const nothing = () => {}
