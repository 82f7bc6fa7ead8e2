import { Refusal } from '../../client/call.ts'
import type { LogProgress, RelayListener } from '../../relay/relay.ts'
import type { Gap } from '../../relay/stream.ts'
import type { Output } from '../output/output.ts'
import type { Paint } from '../output/paint.ts'

type What = 'events' | 'requests'

/** The words in which a command describes its connection. */
export interface ConnectionWording {
  /** The kind of entries in the followed log. */
  what: What
  /** Additional fields of the first `ready` line. */
  ready: Record<string, unknown>
  /** The first line for people. */
  readyInWords(progress: LogProgress, paint: Paint): string
}

/** Prints `ready` on stdout; a lost connection, its return and a replaced log on stderr. */
export function connectionTeller(
  output: Output,
  baseUrl: string,
  { what, ready, readyInWords }: ConnectionWording,
): Omit<RelayListener, 'event' | 'onTargetState'> {
  let isFirst = true
  let isLost = false
  const one = what.slice(0, -1)
  return {
    connected({ log_id, namespace }, progress) {
      if (isFirst)
        output.item(
          { type: 'ready', url: baseUrl, namespace: namespace ?? null, log_id, ...progress, ...ready },
          (paint) => readyInWords(progress, paint),
        )
      else if (isLost)
        output.warn({ type: 'resumed', ...progress }, (paint) =>
          paint.dim(`reconnected, continuing after ${one} ${progress.cursor}${lagText(progress)}`),
        )
      isFirst = false
      isLost = false
    },
    lost(error, progress) {
      isLost = true
      const message = error instanceof Refusal ? error.reason : error.message
      output.warn({ type: 'lost', message, ...progress }, (paint, shown) =>
        paint.yellow(lostInWords(shown.message, one, progress)),
      )
    },
    newLog({ log_id }, progress) {
      isLost = false
      const { cursor } = progress
      const message = `The log is not the same as before; continuing ${cursor === 0 ? 'from its start' : `after ${one} ${cursor}`}.`
      output.warn({ type: 'new_log', log_id, ...progress, message })
    },
    waiting: ({ body, reason }) => tellTaken(output, body, reason),
    dropped: (gap) => tellGap(output, gap, what),
  }
}

/** Reports on stderr that another listener has the cursor. */
export function tellTaken(output: Output, { cursor, holder }: { cursor?: unknown; holder?: unknown }, reason: string) {
  const message = `${reason} Waiting until it ends; stop with Ctrl-C, or use another --cursor.`
  output.warn({ type: 'waiting', cursor_name: cursor, holder, message })
}

export const lagText = ({ lag }: LogProgress) => (lag > 0 ? `, ${lag} behind` : '')

function lostInWords(message: string, one: string, progress: LogProgress | undefined): string {
  const where = progress ? ` Last known ${one}: ${progress.last_seq}${lagText(progress)}.` : ''
  return `! ${message.replace(/\.$/, '')}.${where} Reconnecting …`
}

/** Reports on stderr the items that a bounded log dropped before they were read. */
export function tellGap(output: Output, { after, first_seq }: Gap, what: What) {
  const message = `The log is bounded: ${what} ${after + 1} to ${first_seq - 1} were dropped before they could be read.`
  output.warn({ type: 'dropped', after, first_seq, message })
}
