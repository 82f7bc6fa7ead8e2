import { Refusal } from '../client/call.ts'
import type { RelayListener } from '../relay/relay.ts'
import type { Gap } from '../relay/stream.ts'
import type { Output } from './output.ts'

type What = 'events' | 'requests'

/** In which words a command tells of its connection; texts are for people. */
export interface Wording {
  /** What the log holds that is followed. */
  what: What
  /** Tells of the first connection. What programs read begins with `line`. */
  ready(line: Record<string, unknown>, cursor: number): void
  resumed(cursor: number): string
  begunAnew: string
  setBack(cursor: number): string
  /** After a break that ends in another log: whether that it is connected again is said besides. */
  saysResumedInNewLog: boolean
}

/** Says how a connection fares: connected, lost, connected again, the log begun anew; all but the first on stderr. */
export function connectionTeller(
  output: Output,
  baseUrl: string,
  wording: Wording,
): Omit<RelayListener, 'event' | 'targetIs'> {
  let isFirst = true
  let isLost = false
  return {
    connected({ log_id, last_seq, namespace }, cursor) {
      if (isFirst)
        wording.ready({ type: 'ready', url: baseUrl, namespace: namespace ?? null, log_id, last_seq, cursor }, cursor)
      else if (isLost) output.warn({ type: 'resumed', cursor }, (paint) => paint.dim(wording.resumed(cursor)))
      isFirst = false
      isLost = false
    },
    lost(error) {
      isLost = true
      const message = error instanceof Refusal ? error.reason : error.message
      output.warn({ type: 'lost', message }, (paint) => paint.yellow(`! ${message}; connecting again …`))
    },
    newLog({ log_id }, cursor) {
      if (!wording.saysResumedInNewLog) isLost = false
      const message = cursor === 0 ? wording.begunAnew : wording.setBack(cursor)
      output.warn({ type: 'new_log', log_id, cursor, message }, (paint) => paint.yellow(`! ${message}`))
    },
    dropped: (gap) => tellGap(output, gap, wording.what),
  }
}

/** What a bounded log no longer holds is said once, on stderr. */
export function tellGap(output: Output, { after, first_seq }: Gap, what: What) {
  const message = `The log is bounded: ${what} ${after + 1} to ${first_seq - 1} were dropped before they could be read.`
  output.warn({ type: 'dropped', after, first_seq, message }, (paint) => paint.yellow(`! ${message}`))
}
