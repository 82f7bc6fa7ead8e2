import { after } from '../machine-time.ts'
import type { World } from '../world.ts'

/** Pause before another attempt if too few worlds were idle, machine ms. */
const RETRY_MS = 1_000

/** The least worlds to evict where files are missing: in a cluster, opening one needs more files than closing one frees at once. */
const FREED = 4

/** The share of the open worlds that may be on probation. */
const PROBATION = 1 / 4

/** A world, as the limit sees it. */
export type LimitedWorld = Pick<World, 'usedAt'> & { lifecycle: Pick<World['lifecycle'], 'isEvicted' | 'evict'> }

/**
 * Limits the number of open databases by evicting the worlds unused for longest: `npm run bench namespaces` shows the
 * memory of 600.
 *
 * A quarter of them may be worlds on probation. A world leaves probation if it is used after its eviction, and would still
 * be open if all worlds had the same rights. So hundreds of worlds that are used once, or in turns of more than the limit, do
 * not fill the memory, and those that fit into the limit are evicted once at most.
 */
export class OpenWorldLimit {
  readonly #most: number
  readonly #worlds: () => Iterable<LimitedWorld>
  readonly #steady = new WeakSet<LimitedWorld>()
  /** The last use of worlds before their eviction. */
  readonly #usedBefore = new WeakMap<LimitedWorld, number>()
  #cancelRetry: (() => void) | undefined

  constructor(maxOpen: number, worlds: () => Iterable<LimitedWorld>) {
    this.#most = maxOpen
    this.#worlds = worlds
  }

  /** Evicts idle worlds before another one is opened. */
  makeRoom(opening: LimitedWorld) {
    if (this.#hasReturnedSoon(opening)) this.#steady.add(opening)
    this.#evictIdle(this.#steady.has(opening))
  }

  /** Evicts some idle worlds, because the process has reached its limit of open files. Returns false if no world is idle. */
  freeFiles(): boolean {
    const open = this.#open()
    return this.#evict(open, Math.max(FREED, Math.ceil(open.length / 4))) > 0
  }

  stop() {
    this.#cancelRetry?.()
  }

  /** Due work opens a world without using it. */
  #hasReturnedSoon(world: LimitedWorld): boolean {
    const before = this.#usedBefore.get(world) ?? world.usedAt
    if (world.usedAt === before) return false
    return [...this.#worlds()].filter(({ usedAt }) => usedAt > before).length <= this.#most
  }

  #evictIdle(opensSteady: boolean) {
    const open = this.#open()
    const steady = open.filter((world) => this.#steady.has(world))
    const onProbation = open.filter((world) => !this.#steady.has(world))
    const total = open.length + 1 - this.#most
    const tooNew = opensSteady ? 0 : onProbation.length + 1 - Math.ceil(this.#most * PROBATION)
    const evicted = this.#evict(onProbation, Math.max(total, tooNew))
    const left = total - evicted
    if (this.#evict(steady, left) >= left && evicted >= tooNew) return
    this.#cancelRetry ??= after(RETRY_MS, () => {
      this.#cancelRetry = undefined
      this.#evictIdle(false)
    })
  }

  /** Open worlds, those unused for longest first. */
  #open(): LimitedWorld[] {
    return [...this.#worlds()].filter(({ lifecycle }) => !lifecycle.isEvicted).sort((a, b) => a.usedAt - b.usedAt)
  }

  /** Evicts this number of idle worlds, or as many as there are. Returns the number of evicted ones. */
  #evict(worlds: readonly LimitedWorld[], count: number): number {
    let evicted = 0
    for (const world of worlds) {
      if (evicted >= count) break
      if (!world.lifecycle.evict()) continue
      this.#usedBefore.set(world, world.usedAt)
      this.#steady.delete(world)
      evicted++
    }
    return evicted
  }
}
