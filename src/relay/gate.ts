/** Lets callers pass while it is open. */
export class Gate {
  #isOpen = true
  #waiting: (() => void)[] = []

  get isOpen(): boolean {
    return this.#isOpen
  }

  set(isOpen: boolean) {
    this.#isOpen = isOpen
    if (!isOpen) return
    for (const pass of this.#waiting.splice(0)) pass()
  }

  async passed(): Promise<void> {
    while (!this.#isOpen) await new Promise<void>((pass) => this.#waiting.push(pass))
  }
}
