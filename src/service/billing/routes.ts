import { type Route, route, routeAsync } from '../../world/noun.ts'
import { setAlerts, setAutoReload, topup, usage } from './account.contract.ts'
import { listTransactions, showBalance, showTier } from './actions.ts'
import { balance, tier, transactions } from './contract.ts'
import { invoicePdf, invoices } from './invoices.contract.ts'
import { downloadInvoice, listInvoices } from './invoices.ts'
import { topUp } from './topup.ts'
import { showUsage } from './usage.ts'
import { changeAlerts, changeAutoReload } from './watch.ts'

export const routes: readonly Route[] = [
  route(balance, showBalance),
  route(usage, showUsage),
  route(tier, showTier),
  route(topup, topUp),
  route(transactions, listTransactions),
  route(invoices, listInvoices),
  routeAsync(invoicePdf, downloadInvoice),
  route(setAutoReload, changeAutoReload),
  route(setAlerts, changeAlerts),
]
