/** Runs tasks one after another. One that fails does not stop the next. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when all tasks so far have ended; never rejects. */
  get ended(): Promise<unknown> {
    return this.#last
  }
}
