import { after } from './machine-time.ts'

/** How long a world waits for requests that do not heed their signal, in ms of the machine. */
const GRACE_MS = 5_000

/** Requests that take longer than one turn of the event loop, and replacements of their world: none overlaps the other. */
export class InFlight {
  readonly #requests = new Set<Promise<unknown>>()
  #stopping = new AbortController()
  #replacements = 0
  #lastReplacement: Promise<unknown> = Promise.resolve()

  get isEmpty(): boolean {
    return this.#requests.size === 0 && this.#replacements === 0
  }

  /** Starts once no replacement is under way. The signal aborts when the next one waits for this request to end. */
  async request<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#replacements > 0) await this.#lastReplacement
    const done = work(this.#stopping.signal)
    const ended = done.then(nothing, nothing).finally(() => this.#requests.delete(ended))
    this.#requests.add(ended)
    return done
  }

  /** Starts once all replacements that were asked for before have ended. */
  replacement(work: () => Promise<void>): Promise<void> {
    this.#replacements++
    const done = this.#lastReplacement.then(work).finally(() => this.#replacements--)
    this.#lastReplacement = done.catch(nothing)
    return done
  }

  /** Asks all requests to end, and resolves when they have. */
  async endRequests(): Promise<void> {
    this.#stopping.abort()
    this.#stopping = new AbortController()
    if (this.#requests.size === 0) return
    let giveUp = nothing
    const grace = new Promise<void>((resolve) => {
      giveUp = after(GRACE_MS, resolve)
    })
    await Promise.race([Promise.all(this.#requests), grace])
    giveUp()
  }

  /** Resolves when the replacements that were asked for have ended. */
  async replacementsEnded(): Promise<void> {
    await this.#lastReplacement
  }
}

const nothing = () => {}
