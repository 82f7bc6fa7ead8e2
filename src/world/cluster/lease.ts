import { machineMs, machineNow } from '../machine-time.ts'

/** The part of a lease by which it ends here earlier than at PostgreSQL, so that clocks may differ in speed. */
const MARGIN = 1 / 15
/** How far PostgreSQL's clock may run ahead of this machine's between two heartbeats, ms. */
const MAX_DRIFT_MS = 250

interface Moment {
  readonly steady: number
  readonly wall: number
}

export const moment = (): Moment => ({ steady: machineMs(), wall: machineNow() })

/**
 * How long this node may answer. It counts from before the heartbeat was sent. The monotonic clock of a machine that
 * was suspended as a whole stops, so the other clock counts too.
 */
export class NodeLease {
  readonly #ms: number
  #renewed: Moment | undefined
  /** PostgreSQL's clock minus the monotonic one. */
  #offset: number | undefined
  #offsetSteadySince = Number.POSITIVE_INFINITY

  constructor(ms: number) {
    this.#ms = ms
  }

  get isValid(): boolean {
    if (!this.#renewed) return false
    const { steady, wall } = moment()
    const most = this.#ms * (1 - MARGIN)
    return steady - this.#renewed.steady < most && wall - this.#renewed.wall < most
  }

  /**
   * Whether leases of others can be judged by PostgreSQL's clock: after a failover the clock is that of another
   * machine, and a lease that began before may seem to be over. One lease later, none of those is left.
   */
  get mayJudgeOthers(): boolean {
    return this.isValid && machineMs() - this.#offsetSteadySince > this.#ms
  }

  renewed(sent: Moment, clockMs: number) {
    this.#renewed = sent
    const offset = clockMs - machineMs()
    // Network delay makes the offset vary a little.
    if (this.#offset === undefined || Math.abs(offset - this.#offset) > MAX_DRIFT_MS) {
      this.#offsetSteadySince = sent.steady
      this.#offset = offset
    }
  }

  ended() {
    this.#renewed = undefined
  }
}
