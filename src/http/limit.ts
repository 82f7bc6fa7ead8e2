import { MAX_TIMEOUT_MS } from '../world/real-time.ts'
import { deadline } from './sleep.ts'

/** Combines a time limit and an abort signal. */
export class Limit {
  readonly #controller = new AbortController()
  readonly #lift: (() => void) | undefined
  readonly #from: AbortSignal | undefined
  readonly #onAbort = () => this.#controller.abort(this.#from!.reason)

  /** In ms; 0 means no limit. `late` creates the abort reason. */
  constructor(ms: number, from?: AbortSignal, late: (ms: number) => Error = unanswered) {
    this.#from = from
    if (ms > 0) this.#lift = deadline(Math.min(ms, MAX_TIMEOUT_MS), () => this.#controller.abort(late(ms)))
    if (from?.aborted) this.#onAbort()
    from?.addEventListener('abort', this.#onAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Removes the time limit. */
  lift() {
    this.#lift?.()
  }

  /** Ends the limit: the work is done or no longer wanted. */
  end() {
    this.lift()
    this.#from?.removeEventListener('abort', this.#onAbort)
  }
}

const unanswered = (ms: number) => Object.assign(new Error(`no answer within ${ms} ms`), { code: 'ETIMEDOUT' })
