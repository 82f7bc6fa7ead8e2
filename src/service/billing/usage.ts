import { toEuros } from '../../words/money.ts'
import type { Action } from '../../world/noun.ts'
import { monthOf } from '../../world/time/clock.ts'
import type { showUsage } from './account.contract.ts'
import { billingStore, type UsageRow } from './store.ts'

export const usage: Action<typeof showUsage> = (world, { query }) => {
  const month = query.month ?? monthOf(world.now())
  const rows = world.store(billingStore).usage(month)
  const kinds = Map.groupBy(rows, ({ channel, classification }) => `${channel} ${classification}`)
  return {
    month,
    currency: 'EUR',
    usage: [...kinds.values()].map((prices) => ({
      channel: prices[0]!.channel,
      message_type: prices[0]!.classification,
      ...amountsOf(prices),
    })),
    total: amountsOf(rows),
  }
}

function amountsOf(rows: readonly UsageRow[]) {
  const sum = (part: (row: UsageRow) => number) => rows.reduce((total, row) => total + part(row), 0)
  return {
    messages: sum(({ sent }) => sent),
    held_amount: toEuros(sum(({ price, sent }) => price * sent)),
    charged_amount: toEuros(sum(({ price, charged }) => price * charged)),
    released_amount: toEuros(sum(({ price, released }) => price * released)),
  }
}
