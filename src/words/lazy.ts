/** A value that is loaded when it is first needed, once for all who need it. A load that failed is tried again by the next. */
export class Lazy<T> {
  readonly #source: () => Promise<T>
  #loading: Promise<T> | undefined
  /** Undefined until it is loaded. */
  value: T | undefined

  constructor(source: () => Promise<T>) {
    this.#source = source
  }

  async load(): Promise<T> {
    if (this.value !== undefined) return this.value
    this.#loading ??= this.#source()
    try {
      this.value = await this.#loading
      return this.value
    } finally {
      this.#loading = undefined
    }
  }
}
