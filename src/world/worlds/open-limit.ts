import { after } from '../machine-time.ts'
import type { World } from '../world.ts'

/** Pause before another attempt if too few worlds were idle, machine ms. */
const RETRY_MS = 1_000

/**
 * Limits the number of open databases by evicting the worlds unused for longest: `npm run bench namespaces` shows the
 * memory of 600.
 */
export class OpenWorldLimit {
  readonly #most: number
  readonly #worlds: () => Iterable<World>
  #cancelRetry: (() => void) | undefined

  constructor(maxOpen: number, worlds: () => Iterable<World>) {
    this.#most = maxOpen
    this.#worlds = worlds
  }

  /** Evicts idle worlds before another one is opened. */
  makeRoom() {
    const open = [...this.#worlds()].filter(({ lifecycle }) => !lifecycle.isEvicted)
    let excess = open.length + 1 - this.#most
    if (excess <= 0) return
    for (const { lifecycle } of open.sort((a, b) => a.usedAt - b.usedAt)) {
      if (lifecycle.evict()) excess--
      if (excess === 0) return
    }
    this.#cancelRetry ??= after(RETRY_MS, () => {
      this.#cancelRetry = undefined
      this.makeRoom()
    })
  }

  stop() {
    this.#cancelRetry?.()
  }
}
