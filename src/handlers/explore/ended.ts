import type { MadeDelivery } from './schedule.ts'

/** The application ended on its own, did not start again, can no longer read its own state, or does not answer a crowd. */
export class Ended extends Error {
  readonly how: 'died' | 'not-restarted' | 'probe-failed' | 'unanswered'
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
