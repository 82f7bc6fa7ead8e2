import { after } from './machine-time.ts'
import type { World } from './world.ts'

/** When too few worlds could be evicted because they were at work, it is tried again after so long, in ms of the machine. */
const RETRY_MS = 1_000

/**
 * Keeps the number of worlds whose databases are open within a limit, by evicting those that were not used for longest:
 * `npm run bench namespaces` shows the memory of 600.
 */
export class OpenLimit {
  readonly #most: number
  readonly #worlds: () => Iterable<World>
  #cancelRetry: (() => void) | undefined

  constructor(most: number, worlds: () => Iterable<World>) {
    this.#most = most
    this.#worlds = worlds
  }

  /** Makes room for one more, as far as worlds are idle. */
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
