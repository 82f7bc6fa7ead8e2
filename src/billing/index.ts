import { fromEuros } from '../words/money.ts'
import { type Noun, route, section } from '../world/noun.ts'
import { deposit, listTransactions, showBalance, showTier } from './actions.ts'
import { BillingTerms, balance, tier, transactions } from './contract.ts'
import { billingStore, tables } from './store.ts'

export const billing: Noun = {
  tables,
  routes: [route(balance, showBalance), route(tier, showTier), route(transactions, listTransactions)],
  sections: [
    section('billing', BillingTerms.prefault({}), (world, terms) => {
      world.store(billingStore).setTerms(terms)
      if (terms.balance > 0) deposit(world, 'opening', fromEuros(terms.balance))
    }),
  ],
}
