import type { SeenEvent } from '../../waiting/expectation.ts'
import type { Where } from '../../words/where.ts'
import { callOperation } from '../target/call-operation.ts'
import type { Session } from './session.ts'

/**
 * Puts an awaited event into the request log, in which `record` finds what a command waited for. `where` are the conditions of the
 * command. The event has come, whether this call succeeds or not.
 */
export async function logAwaited(session: Session, { event, seq, data }: SeenEvent, where: readonly Where[] = []) {
  // A service has no event log, and its events no position.
  if (seq === undefined) return
  const names = where.flatMap(({ path, equals }) => (equals && !equals.isNegated ? path.slice(-1) : []))
  const named = Object.fromEntries(
    Object.entries(data).filter(([name, value]) => names.includes(name) && typeof value !== 'object'),
  )
  const payload = { event, data: named, after: seq - 1, within: '0s' }
  await callOperation(session, 'events.wait', { payload }).catch(() => {})
}
