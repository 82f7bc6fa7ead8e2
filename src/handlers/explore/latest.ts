/** A result for as long as what it depends on stays the same: a look seldom finds anything else than the one before. */
export class Latest<T> {
  #of: readonly unknown[] = []
  #result: { value: T } | undefined

  get(of: readonly unknown[], compute: () => T): T {
    const isSame = of.length === this.#of.length && of.every((one, i) => one === this.#of[i])
    if (!this.#result || !isSame) [this.#of, this.#result] = [of, { value: compute() }]
    return this.#result.value
  }
}
