import { get } from 'node:http'
import { deadline } from '../http/sleep.ts'
import type { NodeAddress } from '../world/cluster/cluster.ts'
import { after } from '../world/machine-time.ts'
import { LIVE } from './probes/probes.ts'

/** The part of the limit without suspicion; the rest is for the answer of a probe. */
const CALM = 1 / 4

interface Watched {
  readonly lost: AbortController
  requests: number
  /** Ends the pause or the probe in progress. */
  stop: () => void
}

interface Watch {
  /** Aborts when the node does not answer within the limit. */
  readonly lost: AbortSignal
  end(): void
}

/** Probes nodes while requests wait for them, because a network that drops packets reports nothing. */
export class Reach {
  readonly #calmMs: number
  readonly #probeMs: number
  readonly #watched = new Map<string, Watched>()

  constructor(limitMs: number) {
    this.#calmMs = limitMs * CALM
    this.#probeMs = limitMs - this.#calmMs
  }

  watch(node: NodeAddress): Watch {
    const watched = this.#watched.get(node.instance) ?? this.#begin(node)
    watched.requests++
    return {
      lost: watched.lost.signal,
      end: () => {
        if (--watched.requests === 0) this.#end(node, watched)
      },
    }
  }

  #begin(node: NodeAddress): Watched {
    const watched: Watched = { lost: new AbortController(), requests: 0, stop: () => {} }
    this.#watched.set(node.instance, watched)
    this.#probeLater(node, watched)
    return watched
  }

  #end({ instance }: NodeAddress, watched: Watched) {
    watched.stop()
    if (this.#watched.get(instance) === watched) this.#watched.delete(instance)
  }

  #probeLater(node: NodeAddress, watched: Watched) {
    watched.stop = after(this.#calmMs, () => this.#probe(node, watched))
  }

  #probe(node: NodeAddress, watched: Watched) {
    const probe = get(new URL(LIVE, node.url), { agent: false })
    let isOver = false
    const stopWaiting = deadline(this.#probeMs, () => {
      this.#end(node, watched)
      watched.lost.abort()
    })
    watched.stop = () => {
      isOver = true
      stopWaiting()
      probe.destroy()
    }
    // A node that refuses the connection is reached too: it may be stopping, and still answer earlier requests.
    const reached = () => {
      if (isOver) return
      watched.stop()
      this.#probeLater(node, watched)
    }
    probe.on('error', reached)
    probe.once('response', reached)
  }
}
