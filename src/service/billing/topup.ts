import { fromEuros } from '../../words/money.ts'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Action } from '../../world/noun.ts'
import type { topUpBalance } from './account.contract.ts'
import { balanceOf, deposit, fundsOf, transactionId } from './movements.ts'
import { exceedsBalance } from './rules.ts'
import { billingTerms } from './store.ts'
import { tooSmall } from './watch.ts'

/** POST /v1/billing/topup: the payment is simulated and always succeeds. */
export const topup: Action<typeof topUpBalance> = (world, { body: { amount: euros, currency } }) => {
  const terms = billingTerms.of(world)
  const amount = fromEuros(euros)
  const before = fundsOf(world)
  if (euros < terms.topup.min) throw tooSmall(terms.topup.min)
  if (exceedsBalance(terms, before, amount))
    throw problem(
      'limit_exceeded',
      `A top-up can raise the balance to at most ${terms.topup.max_balance} EUR. Top up less.`,
      {
        details: [{ field: 'amount', code: 'too_big', message: 'exceeds the maximum balance' }],
        balance: balanceOf(before),
        max_balance: terms.topup.max_balance,
      },
    )
  const { funds, seq } = deposit(world, 'topup', amount)
  const answer = {
    transaction_id: transactionId(seq),
    amount: euros,
    currency,
    balance: balanceOf(funds),
    created_at: world.timestamp(),
  }
  return new Reply(answer, { status: 201 })
}
