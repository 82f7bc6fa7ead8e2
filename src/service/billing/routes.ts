import { type Route, route, routeAsync } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { invoicePdf, invoices } from './invoices.ts'
import { topUp } from './topup.ts'
import { usage } from './usage.ts'
import { changeAlerts, changeAutoReload } from './watch.ts'

export const routes: readonly Route[] = [
  route(contract.showBalance, actions.balance),
  route(contract.showUsage, usage),
  route(contract.showTier, actions.tier),
  route(contract.topUpBalance, topUp),
  route(contract.listTransactions, actions.transactions),
  route(contract.listInvoices, invoices),
  routeAsync(contract.downloadInvoice, invoicePdf),
  route(contract.setAutoReload, changeAutoReload),
  route(contract.setAlerts, changeAlerts),
]
