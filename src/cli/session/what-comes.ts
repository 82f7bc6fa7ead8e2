import { callOperation } from '../target/call-operation.ts'
import type { Session } from './session.ts'

/** What a wait waits for: a frozen clock, or the next step. Undefined at a service without a clock to read. */
export async function whatComes(
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

const stepAfter = async (session: Session, id: string) =>
  (await callOperation(session, 'messages.explain', { params: { id }, isLookup: true })).next
