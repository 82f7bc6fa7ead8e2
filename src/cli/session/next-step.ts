import type { LongWait } from '../../scenarios/target.ts'
import { clockInWords, dueInWords, isDueSoon, type WorldClock } from '../../waiting/until.ts'
import { formatDuration } from '../../words/milliseconds.ts'
import type { Output } from '../output/output.ts'
import { callOperation } from '../target/call-operation.ts'
import type { Session } from './session.ts'

/** Explains a wait that has timed out: a frozen clock, or the next step. Undefined at a service without a clock to read. */
export async function describeNextStep(
  session: Session,
  { messageId, advance }: { messageId?: string; advance: string },
): Promise<string | undefined> {
  try {
    if (!(await session.endpoint.isEmulator())) return undefined
    const { mode, next_due_at } = await callOperation(session, 'clock.show', { isLookup: true })
    if (mode === 'frozen') return `The clock is frozen; advance it: sandbox clock advance ${advance}`
    const next =
      messageId === undefined
        ? next_due_at && { what: 'scheduled work', at: next_due_at }
        : await stepAfter(session, messageId)
    return next
      ? `Next: ${next.what} at ${next.at}.`
      : `Nothing is scheduled${messageId === undefined ? '' : ' for it'}.`
  } catch {
    // It only adds to the report of the wait, which fails by itself.
    return undefined
  }
}

/** Says on stderr what a command waits for, and how to avoid it. */
export function tellLongWait(output: Output, { what, within, clock }: LongWait, hint: string) {
  const message = `Waiting up to ${within} for ${what}.${clock ? ` ${clockInWords(clock)} ${dueInWords(clock)}` : ''}`
  const shownHint = clock && clock.mode !== 'auto' && hint
  output.warn({ type: 'waiting', for: what, within, message, ...(shownHint && { hint: shownHint }) }, (paint, shown) =>
    paint.dim([`… ${shown.message}`, ...(shown.hint ? [`  ${shown.hint}`] : [])].join('\n')),
  )
}

/** The command after which what is waited for can have happened, or else the next work; undefined if none is near. */
export function commandToAdvance(clock: WorldClock, withinMs: number): string | undefined {
  if (!isDueSoon(clock)) return undefined
  const isWithin = Date.parse(clock.next_due_at!) - Date.parse(clock.now) <= withinMs
  return `Advance the clock: sandbox clock advance ${isWithin ? formatDuration(withinMs) : '--next'}`
}

const stepAfter = async (session: Session, id: string) =>
  (await callOperation(session, 'messages.explain', { params: { id }, isLookup: true })).next
