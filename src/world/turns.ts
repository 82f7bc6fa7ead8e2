/** Runs works one after another. One that fails does not stop the next. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when all works so far have ended; never rejects. */
  get ended(): Promise<unknown> {
    return this.#last
  }
}
