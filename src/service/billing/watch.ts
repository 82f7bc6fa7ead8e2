import { fromEuros, type TenThousandths, toEuros } from '../../words/money.ts'
import { problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { emit } from '../events/log.ts'
import type * as contract from './account.contract.ts'
import { balanceOf, deposit, fundsOf } from './movements.ts'
import { type Funds, fellBelow, refuseReload } from './rules.ts'
import { billingTerms } from './store.ts'

/** Thresholds of the free balance for the alert and the reload; undefined while they are disabled. */
interface Thresholds {
  alertBelow?: TenThousandths | undefined
  reload?: { below: TenThousandths; amount: TenThousandths } | undefined
}

export const thresholds = setting<Thresholds>('balance watch', (written) => written ?? {})

/** All events about the balance have one subject, so they are delivered in order. */
const SUBJECT = 'billing'

/** Called after a hold: alerts and reloads if the free balance has just fallen below a threshold. */
export function watchFall(world: World, price: TenThousandths, funds: Funds): Funds {
  const { alertBelow, reload } = thresholds.of(world)
  if (funds.free >= Math.max(alertBelow ?? 0, reload?.below ?? 0)) return funds
  const before = funds.free + price
  if (alertBelow !== undefined && fellBelow(alertBelow, before, funds.free)) alert(world, alertBelow, funds)
  return reload && fellBelow(reload.below, before, funds.free) ? reloadBy(world, reload.amount, funds) : funds
}

function alert(world: World, threshold: TenThousandths, funds: Funds) {
  emit(world, 'billing.balance_low', SUBJECT, {
    balance: balanceOf(funds),
    threshold: toEuros(threshold),
    at: world.timestamp(),
  })
}

/** Simulates the payment and returns the funds after it. */
function reloadBy(world: World, amount: TenThousandths, before: Funds): Funds {
  const reason = refuseReload(billingTerms.of(world), before, amount)
  const dataOf = (funds: Funds) => ({ amount: toEuros(amount), balance: balanceOf(funds), at: world.timestamp() })
  if (reason) {
    emit(world, 'billing.auto_reload_failed', SUBJECT, { ...dataOf(before), reason })
    return before
  }
  const { funds } = deposit(world, 'topup', amount)
  emit(world, 'billing.auto_reload_success', SUBJECT, dataOf(funds))
  return funds
}

/** PUT /v1/billing/auto-reload. A balance that is below a new threshold already is reloaded at once. */
export const setAutoReload: Action<typeof contract.setAutoReload> = (
  world,
  { body: { enabled, threshold, amount } },
) => {
  const { min } = billingTerms.of(world).topup
  if (enabled && amount! < min) throw tooSmall(min)
  const reload = enabled ? { below: fromEuros(threshold!), amount: fromEuros(amount!) } : undefined
  const before = change(world, { reload })
  const funds = fundsOf(world)
  const isNew = before.reload?.below !== reload?.below || before.reload?.amount !== reload?.amount
  if (reload && isNew && funds.free < reload.below) reloadBy(world, reload.amount, funds)
  return { enabled, threshold: enabled ? threshold! : null, amount: enabled ? amount! : null }
}

/** PUT /v1/billing/alerts. A balance that is already below a new threshold is reported immediately. */
export const setAlerts: Action<typeof contract.setAlerts> = (world, { body: { enabled, threshold } }) => {
  const alertBelow = enabled ? fromEuros(threshold!) : undefined
  const before = change(world, { alertBelow })
  const funds = fundsOf(world)
  if (alertBelow !== undefined && before.alertBelow !== alertBelow && funds.free < alertBelow)
    alert(world, alertBelow, funds)
  return { enabled, threshold: enabled ? threshold! : null }
}

function change(world: World, part: Partial<Thresholds>): Thresholds {
  const before = thresholds.of(world)
  thresholds.set(world, { ...before, ...part })
  return before
}

export const tooSmall = (min: number) =>
  problem('validation_error', `amount: must be at least ${min} EUR.`, {
    details: [{ field: 'amount', code: 'too_small', message: `must be at least ${min}` }],
  })
