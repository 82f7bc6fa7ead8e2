import { getOrAdd } from './get-or-add.ts'

/** A value that is loaded once, on first use. A failed load is repeated on the next use. */
export class Lazy<T> {
  readonly #source: () => Promise<T>
  #loading: Promise<T> | undefined
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

/** Makes a value at the first call, and returns it at each. */
export function lazily<T>(make: () => T): () => T {
  let made: { it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}

/** Makes a value for each object at the first call, and keeps it as long as the object. */
export function lazilyFor<Owner extends object, T extends object>(make: (owner: Owner) => T): (owner: Owner) => T {
  const made = new WeakMap<Owner, T>()
  return (owner) => getOrAdd(made, owner, () => make(owner))
}
