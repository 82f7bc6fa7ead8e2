import { fundsOf } from '../../service/billing/actions.ts'
import { SendRequest, type SendResponse } from '../../service/messages/contract.ts'
import { send } from '../../service/messages/send.ts'
import { fromEuros, toEuros } from '../../words/money.ts'
import { Problem } from '../../words/problem.ts'
import { validate } from '../../words/validate.ts'
import type { AsyncAction, Call } from '../../world/noun.ts'
import { answerOnce, replayKey } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import { ruleNow } from '../explain/actions.ts'
import type { Rehearsed, rehearseSends } from './contract.ts'

/** Sends all in one transaction that is rolled back, so that each send lowers the balance of the next. */
export const rehearse: AsyncAction<typeof rehearseSends> = async (world, { body, caller }) =>
  world.rehearse(() => {
    const before = fundsOf(world).free
    const sends = body.sends.map((one) => rehearsed(world, one, caller))
    const { free } = fundsOf(world)
    const count = (outcome: Rehearsed['outcome']) => sends.filter((one) => one.outcome === outcome).length
    return {
      sends,
      total: {
        accepted: count('accepted'),
        repeated: count('repeated'),
        refused: count('refused'),
        hold_amount: toEuros(sum(sends.map(({ hold_amount }) => hold_amount))),
        free_before: toEuros(before),
        free_after: toEuros(free),
        missing: toEuros(Math.max(0, sum(sends.map(required)) - free)),
      },
    }
  })

const sum = (euros: readonly number[]) => euros.reduce((total, amount) => total + fromEuros(amount), 0)

/** The price in EUR of a send that the balance did not cover; 0 for other sends. */
const required = ({ refusal }: Rehearsed): number =>
  refusal?.error === 'insufficient_balance' ? Number(refusal.required_amount) : 0

function rehearsed(
  world: World,
  body: Record<string, unknown>,
  caller: Call<typeof rehearseSends>['caller'],
): Rehearsed {
  const nothing = { classification: null, hold_amount: 0, refusal: null, rule_id: null, near_miss: null }
  try {
    const sent = sentOnce(world, body, caller)
    const free_after = toEuros(fundsOf(world).free)
    if (!sent) return { outcome: 'repeated', ...nothing, free_after }
    const { message_type, hold_amount } = sent.billing
    const { rule, misses } = ruleNow(world, sent.message_id)
    return {
      outcome: 'accepted',
      ...{ classification: message_type, hold_amount, free_after, refusal: null },
      ...{ rule_id: rule, near_miss: misses[0] ?? null },
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const refusal = { http_status: error.status, ...error.body }
    return { outcome: 'refused', ...nothing, refusal, free_after: toEuros(fundsOf(world).free) }
  }
}

/** Returns undefined if the idempotency key was used before. */
function sentOnce(
  world: World,
  body: Record<string, unknown>,
  caller: Call<typeof rehearseSends>['caller'],
): SendResponse | undefined {
  let sent: SendResponse | undefined
  const perform = () => {
    sent = send(world, { params: {}, query: undefined, body: validate(SendRequest, body, 'body'), caller })
    return { status: 200, body: JSON.stringify(sent) }
  }
  const { idempotency_key: key } = body
  if (typeof key === 'string') answerOnce(world, replayKey('messages.send', [], key), body, perform)
  else perform()
  return sent
}
