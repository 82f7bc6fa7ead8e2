import type { MadeDelivery } from './schedule.ts'

/** The application has ended by itself, has not started again, or cannot read its own state any more. */
export class Ended extends Error {
  readonly how: 'died' | 'not-restarted' | 'probe-failed'
  /** The exit status and the last lines of stderr, or the error; undefined if the explorer did not start it. */
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
