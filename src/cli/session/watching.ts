import { InvalidArgumentError } from 'commander'
import { type TimelineItem, type WatchedMessage, watchMessage } from '../../client/watch.ts'
import { statusAfter, UNDELIVERED_STATUSES } from '../../words/statuses.ts'
import type { Paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { euros } from '../output/render.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../process/exit.ts'
import { durationFlag, durationOption } from '../target/globals.ts'
import { describeNextStep } from './next-step.ts'
import type { Session } from './session.ts'

export interface WatchFlags {
  until?: 'delivered' | 'read'
  interval: number
  settle: number
  timeout: number
}

/** After this time without a change, the next step and its time are shown. */
const HINT_AFTER_MS = 5_000

const ARRIVED = new Set(['delivered', 'read', 'opened', 'clicked', 'received'])
const ENDED = new Set(['read', 'clicked', 'received', ...UNDELIVERED_STATUSES])

/** Prints the steps of a message until it ends; fails unless it has arrived. */
export async function watchToEnd(session: Session, id: string, flags: WatchFlags): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const wait = { messageId: id, advance: '1m' }
  let isHinted = false
  const { message, ending } = await watchMessage(endpoint, id, {
    everyMs: flags.interval,
    settleMs: flags.settle,
    timeoutMs: flags.timeout,
    signal: io.signal,
    ends: (status) => ENDED.has(status) || (flags.until === 'delivered' && ARRIVED.has(status)),
    rests: (status) => flags.until !== 'read' && ARRIVED.has(status),
    happened: (item, at) => output.item(lineOf(item, at), (paint, line) => inWords(line, paint)),
    rested: () => output.note((paint) => paint.dim(`Waiting ${flags.settle / 1000} s for further steps.`)),
    waiting(ms) {
      if (isHinted || ms < HINT_AFTER_MS) return
      isHinted = true
      void describeNextStep(session, wait).then(
        (next) =>
          next &&
          output.note((paint) =>
            paint.dim(`Nothing for ${HINT_AFTER_MS / 1000} s. ${printable(output.withProgramName(next))}`),
          ),
      )
    },
  })
  if (ending === 'timed out')
    throw timedOut(
      `${id} is still ${message.status} after ${flags.timeout / 1000} s.`,
      await describeNextStep(session, wait),
    )
  if (!ARRIVED.has(message.status) || (flags.until === 'read' && message.status !== 'read')) throw notArrived(message)
  output.note(
    (paint) =>
      `${paint.green('✓')} ${printable(message.status)}${message.cost ? paint.dim(` · cost ${euros(message.cost)}`) : ''}`,
  )
  return EXIT.ok
}

const lineOf = ({ type, at }: TimelineItem, { id, status, failure_reason }: WatchedMessage) => ({
  id,
  type,
  at,
  status,
  ...(type === 'failed' ? { failure_reason: failure_reason ?? null } : {}),
})

function inWords({ type, at, failure_reason }: ReturnType<typeof lineOf>, paint: Paint): string {
  const colour = type === 'failed' || type === 'bounced' ? paint.red : ARRIVED.has(type) ? paint.green : paint.bold
  const why = failure_reason ? `  ${failure_reason}` : ''
  return `${paint.dim(at ?? '')}  ${colour(statusAfter(type))}${why}`
}

function notArrived({ id, status, failure_reason, error_message }: WatchedMessage): Fault {
  const why = [failure_reason, error_message].filter(Boolean).join(': ').replace(/\.$/, '')
  return new Fault(`${id} ended as ${status}${why ? `: ${why}` : ''}.`, {
    code: 'not_delivered',
    exit: EXIT.expectation,
    extra: { id, status, failure_reason: failure_reason ?? null },
  })
}

export const settleOption = () =>
  durationOption('--settle <duration>', 'time to wait for further steps after delivery', '5s')

export const intervalOption = (description = 'time between two requests', preset = '250ms') =>
  durationOption('--interval <duration>', description, preset).argParser(intervalFlag)

function intervalFlag(text: string): number {
  const ms = durationFlag(text)
  if (ms === 0) throw new InvalidArgumentError('It must be more than 0.')
  return ms
}
