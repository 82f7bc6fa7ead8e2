import type { z } from 'zod'
import { fromEuros, toEuros } from '../../words/money.ts'
import { type Noun, routesOf, section } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { balance, balanceOf, deposit, fundsOf, tier, transactions } from './actions.ts'
import * as contract from './contract.ts'
import { invoicePdf, invoices, issueInvoice, MONTH_TURN } from './invoices.ts'
import { resetBalance } from './movements.ts'
import { billingTerms, tables } from './store.ts'
import { topup } from './topup.ts'
import { usage } from './usage.ts'
import { setAlerts, setAutoReload, thresholds } from './watch.ts'
import { BillingEntry } from './world-file.contract.ts'

/** The prepaid balance, prices of sends, and invoices (interface §2.5, §4.6). */
export const noun: Noun = {
  tables,
  routes: routesOf(
    contract,
    { balance, tier, transactions, usage, topup, invoices, invoicePdf, setAutoReload, setAlerts },
    { invoicePdf: 'async' },
  ),
  localWork: { [MONTH_TURN]: issueInvoice },
  resets: { balance: resetBalance },
  passive: [MONTH_TURN],
  sections: [
    section(
      'billing',
      BillingEntry.prefault({}).describe('Balance, prices, tiers, top-ups, alerts and automatic top-up.'),
      (world, { alerts, auto_reload, ...terms }) => {
        billingTerms.set(world, terms)
        thresholds.set(world, {
          alertBelow: alerts && fromEuros(alerts.threshold),
          reload: auto_reload && { below: fromEuros(auto_reload.threshold), amount: fromEuros(auto_reload.amount) },
        })
        if (terms.balance > 0) deposit(world, 'opening', fromEuros(terms.balance))
      },
      dump,
    ),
  ],
}

/** A dump has no messages in progress, so their holds are released. */
function dump(world: World): z.input<typeof BillingEntry> {
  const { alertBelow, reload } = thresholds.of(world)
  return {
    ...billingTerms.of(world),
    balance: balanceOf(fundsOf(world)).total,
    alerts: alertBelow === undefined ? undefined : { threshold: toEuros(alertBelow) },
    auto_reload: reload && { threshold: toEuros(reload.below), amount: toEuros(reload.amount) },
  }
}
