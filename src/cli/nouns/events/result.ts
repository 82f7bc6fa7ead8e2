import type { AnswerTo } from '../../../client/answers.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

type Delivery = AnswerTo<'events.delivery'>['delivery']
type Attempt = Delivery['attempts'][number]

export const deliveryOf = async (session: Session, id: string): Promise<Delivery> =>
  (await callOperation(session, 'events.delivery', { params: { id }, isLookup: true })).delivery

/** `→ 500, next attempt 2026-…`; the next attempt only after the last one. */
export function resultOf({ number, status_code }: Attempt, { attempts, next_attempt_at }: Delivery): string {
  const isLast = number === attempts.at(-1)!.number
  return `→ ${status_code ?? 'no answer'}${isLast && next_attempt_at ? `, next attempt ${next_attempt_at}` : ''}`
}
