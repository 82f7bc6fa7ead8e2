import { fromEuros } from '../words/money.ts'
import { type Noun, route, routeOutside, section } from '../world/noun.ts'
import { setAlerts, setAutoReload, topup, usage } from './account-contract.ts'
import { deposit, listTransactions, showBalance, showTier } from './actions.ts'
import { BillingTerms, balance, tier, transactions } from './contract.ts'
import { invoicePdf, invoices } from './invoice-contract.ts'
import { downloadInvoice, issueInvoice, listInvoices, MONTH_TURN } from './invoices.ts'
import { billingStore, tables } from './store.ts'
import { topUp } from './topup.ts'
import { showUsage } from './usage.ts'
import { changeAlerts, changeAutoReload } from './watch.ts'

/** The prepaid balance, what sends cost, and the papers about it (interface §2.5, §4.6). */
export const billing: Noun = {
  tables,
  routes: [
    route(balance, showBalance),
    route(usage, showUsage),
    route(tier, showTier),
    route(topup, topUp),
    route(transactions, listTransactions),
    route(invoices, listInvoices),
    routeOutside(invoicePdf, downloadInvoice),
    route(setAutoReload, changeAutoReload),
    route(setAlerts, changeAlerts),
  ],
  inside: { [MONTH_TURN]: issueInvoice },
  sections: [
    section('billing', BillingTerms.prefault({}), (world, terms) => {
      world.store(billingStore).setTerms(terms)
      if (terms.balance > 0) deposit(world, 'opening', fromEuros(terms.balance))
    }),
  ],
}
