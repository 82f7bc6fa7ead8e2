import type { RelayListener } from '../../../relay/relay.ts'
import type { Gap } from '../../../relay/stream.ts'
import type { Output } from '../../output.ts'

type What = 'events' | 'requests'

/** What a bounded log no longer holds is said once, on stderr. */
export function tellGap(output: Output, { after, first_seq }: Gap, what: What) {
  const message = `The log is bounded: ${what} ${after + 1} to ${first_seq - 1} were dropped before they could be read.`
  output.warn({ type: 'dropped', after, first_seq, message }, (paint) => paint.yellow(`! ${message}`))
}

/** Says on stderr how the connection fares, so that stdout holds nothing but what is followed. */
export function connectionTeller(
  output: Output,
  baseUrl: string,
  what: What,
): Omit<RelayListener, 'event' | 'targetIs'> {
  let isLost = false
  let isFirst = true
  return {
    connected({ log_id, last_seq, namespace }, cursor) {
      if (isFirst)
        output.warn({ type: 'ready', url: baseUrl, namespace: namespace ?? null, log_id, last_seq, cursor }, (paint) =>
          paint.dim(`following ${what} at ${baseUrl}; stop with Ctrl-C`),
        )
      else if (isLost)
        output.warn({ type: 'resumed', cursor }, (paint) => paint.dim(`connected again, after ${cursor}`))
      isFirst = false
      isLost = false
    },
    lost(error) {
      isLost = true
      output.warn({ type: 'lost', message: error.message }, (paint) =>
        paint.yellow(`! ${error.message}; connecting again …`),
      )
    },
    newLog({ log_id }, cursor) {
      isLost = false
      const message =
        cursor === 0
          ? 'The log was begun anew; reading it from its start.'
          : `The log was set back; going on after ${cursor}.`
      output.warn({ type: 'new_log', log_id, cursor, message }, (paint) => paint.yellow(`! ${message}`))
    },
    dropped: (gap) => tellGap(output, gap, what),
  }
}
