import { getOrAdd } from '../../words/get-or-add.ts'
import { after } from '../machine-time.ts'
import type { NodeAddress } from './store.ts'

const UNREACHABLE_MS = 10_000

/** What this node knows of the others: which worlds they own, whom it cannot reach, and who waits for their answers. */
export class Neighbours {
  /** The last known owners of worlds. */
  readonly #owners = new Map<string, NodeAddress>()
  /** Nodes that are alive, and that this one cannot reach. */
  readonly #unreachable = new Set<string>()
  /** Abort when the lease of a node is over, by instance. */
  readonly #alive = new Map<string, AbortController>()

  ownerOf(namespace: string): NodeAddress | undefined {
    return this.#owners.get(namespace)
  }

  setOwner(namespace: string, owner: NodeAddress) {
    this.#owners.set(namespace, owner)
  }

  /** Forgets who owns a world, or that one node does, which did not answer for it. */
  forgetOwner(namespace: string, which = this.#owners.get(namespace)) {
    if (this.#owners.get(namespace)?.instance === which?.instance) this.#owners.delete(namespace)
  }

  canReach({ instance }: NodeAddress): boolean {
    return !this.#unreachable.has(instance)
  }

  /** For a while, no request goes to a node. */
  cannotReach({ instance }: NodeAddress) {
    this.#unreachable.add(instance)
    after(UNREACHABLE_MS, () => this.#unreachable.delete(instance))
    this.#forgetWorldsOf(instance)
  }

  /** Aborts when the lease of a node is over: it may be suspended, and not answer for long. */
  whileAlive({ instance }: NodeAddress): AbortSignal {
    return getOrAdd(this.#alive, instance, () => new AbortController()).signal
  }

  get isAnyWatched(): boolean {
    return this.#alive.size > 0
  }

  /** Ends the waiting for nodes that are not among the living ones. */
  forgetDead(live: ReadonlySet<string>) {
    for (const [instance, alive] of this.#alive)
      if (!live.has(instance)) {
        this.#alive.delete(instance)
        this.#forgetWorldsOf(instance)
        alive.abort()
      }
  }

  #forgetWorldsOf(instance: string) {
    for (const [namespace, owner] of this.#owners) if (owner.instance === instance) this.#owners.delete(namespace)
  }
}
