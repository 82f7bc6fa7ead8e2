import { holdAll, type Where } from '../words/where.ts'
import { type DeliverOptions, type Delivery, deliver } from './deliver.ts'
import { type Envelope, subjectOf } from './envelope.ts'
import { type DeliveryOrder, Lanes } from './lanes.ts'
import { accepts, type ForwardRoute } from './route.ts'
import type { LogEvent } from './stream.ts'

export interface DispatchOptions extends DeliverOptions {
  routes?: readonly ForwardRoute[] | undefined
  /** That of the log by default. */
  order?: DeliveryOrder | undefined
  /** Conditions on events; all must hold. */
  where?: readonly Where[] | undefined
}

/** Events read ahead of the slowest target. */
const MAX_AHEAD = 1_000

/** Delivers events to targets, each at its own pace. */
export class Dispatcher {
  readonly #options: DispatchOptions
  readonly #lanes: ReadonlyMap<ForwardRoute, Lanes>
  readonly #room = new Gate()
  /** Holds deliveries that have not started. */
  readonly pause = new Gate()
  #ahead = 0
  #round = 0

  constructor(options: DispatchOptions) {
    this.#options = options
    this.#lanes = new Map((options.routes ?? []).map((route) => [route, new Lanes()]))
  }

  /** Resolves when another event may be read. */
  room(): Promise<void> {
    return this.#room.passed()
  }

  /** Drops deliveries that have not started. */
  drop() {
    this.#round++
    this.#ahead = 0
    this.#room.set(true)
  }

  /** Delivers an event; undefined if it was dropped or is not wanted. */
  async take(event: LogEvent): Promise<readonly Delivery[] | undefined> {
    const envelope = JSON.parse(event.body) as Envelope
    if (!holdAll(this.#options.where ?? [], envelope)) return undefined
    const round = this.#round
    this.#room.set(++this.#ahead < MAX_AHEAD)
    try {
      const made = await Promise.all(
        this.#targetsOf(event).map((route) => this.#bring(event, keyOf(envelope, this.#options), route, round)),
      )
      return made.includes(undefined) ? undefined : (made as Delivery[])
    } finally {
      if (round === this.#round) this.#room.set(--this.#ahead < MAX_AHEAD)
    }
  }

  /** Delivers an event at once, ahead of waiting ones. */
  again(event: LogEvent): Promise<readonly Delivery[]> {
    return Promise.all(this.#targetsOf(event).map((route) => deliver(event, route, { ...this.#options, retries: 0 })))
  }

  #targetsOf({ event }: LogEvent): ForwardRoute[] {
    return [...this.#lanes.keys()].filter((route) => accepts(route, event))
  }

  #bring(event: LogEvent, key: string | undefined, route: ForwardRoute, round: number): Promise<Delivery | undefined> {
    return this.#lanes.get(route)!.run(key, async () => {
      await this.pause.passed()
      return round === this.#round ? deliver(event, route, this.#options) : undefined
    })
  }
}

function keyOf(envelope: Envelope, { order = 'log' }: DispatchOptions): string | undefined {
  if (order === 'none') return undefined
  return order === 'log' ? 'log' : subjectOf(envelope)
}

/** Lets callers through while it is open. */
class Gate {
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
