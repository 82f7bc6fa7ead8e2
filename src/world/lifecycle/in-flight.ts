import { after } from '../machine-time.ts'
import { Turns } from '../turns.ts'

/** Time for requests that ignore their abort signal, machine ms. */
const GRACE_MS = 1_000

/** Long requests and replacements of their world never overlap. */
export class InFlight {
  readonly #requests = new Set<Promise<unknown>>()
  #stopping = new AbortController()
  #pending = 0
  readonly #replacements = new Turns()

  get isEmpty(): boolean {
    return this.#requests.size === 0 && this.#pending === 0
  }

  /** Runs a request after pending replacements. The signal aborts when a new replacement waits for it. */
  async request<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#pending > 0) await this.#replacements.ended
    const done = work(this.#stopping.signal)
    const ended = done.then(nothing, nothing).finally(() => this.#requests.delete(ended))
    this.#requests.add(ended)
    return done
  }

  /** Runs a replacement after all earlier ones. */
  replacement(work: () => Promise<void>): Promise<void> {
    this.#pending++
    return this.#replacements.run(() => work().finally(() => this.#pending--))
  }

  /** Aborts all requests and waits for their end. */
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

  /** Waits for all pending replacements. */
  async replacementsEnded(): Promise<void> {
    await this.#replacements.ended
  }
}

const nothing = () => {}
