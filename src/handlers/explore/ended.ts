import type { MadeDelivery } from './schedule.ts'

/** The application has ended by itself, or has not started again. */
export class Ended extends Error {
  readonly how: 'died' | 'not-restarted'
  /** The exit status and the last lines of stderr; undefined where the explorer did not start it. */
  readonly reason: string | Error | undefined
  readonly made: readonly MadeDelivery[]

  constructor(how: Ended['how'], reason: Ended['reason'], made: Ended['made']) {
    super(how)
    this.name = 'Ended'
    this.how = how
    this.reason = reason
    this.made = made
  }
}
