/** Something that is read in when it is first wanted, once for all who want it. What failed is tried again by the next. */
export class Late<T> {
  readonly #read: () => Promise<T>
  #reading: Promise<T> | undefined
  /** What was read in; undefined before. */
  now: T | undefined

  constructor(read: () => Promise<T>) {
    this.#read = read
  }

  async read(): Promise<T> {
    if (this.now !== undefined) return this.now
    this.#reading ??= this.#read()
    try {
      this.now = await this.#reading
      return this.now
    } finally {
      this.#reading = undefined
    }
  }
}
