import { Refusal } from '../../client/call.ts'
import type { RelayListener, Standing } from '../../relay/relay.ts'
import type { Gap } from '../../relay/stream.ts'
import type { Output } from '../output/output.ts'
import type { Paint } from '../output/paint.ts'

type What = 'events' | 'requests'

/** How a command describes its connection. */
export interface ConnectionWording {
  /** What the followed log holds. */
  what: What
  /** Additional fields of the first `ready` line. */
  ready: Record<string, unknown>
  /** The first line for people. */
  readyInWords(standing: Standing, paint: Paint): string
}

/** Prints `ready` on stdout; a lost connection, its return and a replaced log on stderr. */
export function connectionTeller(
  output: Output,
  baseUrl: string,
  { what, ready, readyInWords }: ConnectionWording,
): Omit<RelayListener, 'event' | 'targetIs'> {
  let isFirst = true
  let isLost = false
  const one = what.slice(0, -1)
  return {
    connected({ log_id, namespace }, standing) {
      if (isFirst)
        output.item(
          { type: 'ready', url: baseUrl, namespace: namespace ?? null, log_id, ...standing, ...ready },
          (paint) => readyInWords(standing, paint),
        )
      else if (isLost)
        output.warn({ type: 'resumed', ...standing }, (paint) =>
          paint.dim(`connected again, going on after ${one} ${standing.cursor}${lagText(standing)}`),
        )
      isFirst = false
      isLost = false
    },
    lost(error, standing) {
      isLost = true
      const message = error instanceof Refusal ? error.reason : error.message
      output.warn({ type: 'lost', message, ...standing }, (paint, shown) =>
        paint.yellow(lostInWords(shown.message, one, standing)),
      )
    },
    newLog({ log_id }, standing) {
      isLost = false
      const { cursor } = standing
      const message = `This is another log than before; going on ${cursor === 0 ? 'from its start' : `after ${one} ${cursor}`}.`
      output.warn({ type: 'new_log', log_id, ...standing, message }, (paint) => paint.yellow(`! ${message}`))
    },
    waiting({ body, reason }) {
      const message = `${reason} Waiting until it ends; stop with Ctrl-C, or take another --cursor.`
      output.warn({ type: 'waiting', cursor_name: body.cursor, holder: body.holder, message }, (paint, shown) =>
        paint.yellow(`! ${shown.message}`),
      )
    },
    dropped: (gap) => tellGap(output, gap, what),
  }
}

export const lagText = ({ lag }: Standing) => (lag > 0 ? `, ${lag} behind` : '')

function lostInWords(message: string, one: string, standing: Standing | undefined): string {
  const where = standing ? ` Last known ${one}: ${standing.last_seq}${lagText(standing)}.` : ''
  return `! ${message.replace(/\.$/, '')}.${where} Connecting again …`
}

/** Reports on stderr the items that a bounded log dropped before they were read. */
export function tellGap(output: Output, { after, first_seq }: Gap, what: What) {
  const message = `The log is bounded: ${what} ${after + 1} to ${first_seq - 1} were dropped before they could be read.`
  output.warn({ type: 'dropped', after, first_seq, message }, (paint) => paint.yellow(`! ${message}`))
}
