import { realTime, type Timer } from '../world/real-time.ts'

/** The time that something may take, and the will of whoever wants it, in one signal. */
export class Limit {
  readonly #controller = new AbortController()
  readonly #timer: Timer | undefined
  readonly #from: AbortSignal | undefined
  readonly #onAbort = () => this.#controller.abort(this.#from!.reason)

  /** In milliseconds; 0 is without end. `late` is what its signal aborts with. */
  constructor(ms: number, from?: AbortSignal, late: (ms: number) => Error = unanswered) {
    this.#from = from
    if (ms > 0) this.#timer = realTime.setTimeout(() => this.#controller.abort(late(ms)), ms)
    if (from?.aborted) this.#onAbort()
    from?.addEventListener('abort', this.#onAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From now on it may take any time. */
  lift() {
    realTime.clearTimeout(this.#timer)
  }

  /** It is done in time, or not wanted any more. */
  end() {
    this.lift()
    this.#from?.removeEventListener('abort', this.#onAbort)
  }
}

const unanswered = (ms: number) => Object.assign(new Error(`no answer within ${ms} ms`), { code: 'ETIMEDOUT' })
