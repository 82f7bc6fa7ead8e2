import { percentOf, toEuros } from '../../words/money.ts'
import { pageOf, windowOf } from '../../words/page.ts'
import { existing } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Action, AsyncAction, LocalWork } from '../../world/noun.ts'
import { isoTime, monthEndAt, monthOf, monthStartAt } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { downloadInvoice, Invoice, listInvoices } from './invoices.contract.ts'
import { billingStore, billingTerms, type IssuedInvoice } from './store.ts'

/** The first charge of a month begins its invoice, which is issued at the turn of the month. */
export function expectInvoice(world: World) {
  const month = monthOf(world.now())
  const store = world.store(billingStore)
  if (store.newestInvoiceMonth() === month) return
  const id = world.ids.next('inv_')
  if (store.beginInvoice(id, month)) world.timers.schedule(MONTH_TURN, id, monthEndAt(month))
}

export const MONTH_TURN = 'billing.month'

/** Due work of the first instant after a month. */
export const issueInvoice: LocalWork = (world, { subject }) => {
  const { vat_percent } = billingTerms.of(world)
  world.store(billingStore).issueInvoice({ id: subject, issued_at: world.now(), vat_percent })
}

export const invoices: Action<typeof listInvoices> = (world, { query }) => {
  const window = windowOf(world, 'invoices', query)
  const { items, ...page } = pageOf(world.store(billingStore).invoices(window), window)
  return { data: items.map((row) => toAnswer(world, row)), ...page }
}

/** GET /v1/billing/invoices/{id}/pdf. The library that writes it is large, and loaded only here. */
export const invoicePdf: AsyncAction<typeof downloadInvoice> = async (world, { params }) => {
  const row = existing(world.store(billingStore).invoice(params.id), 'invoice', params.id)
  const invoice = toAnswer(world, row)
  const { drawInvoice } = await import('./pdf.ts')
  const headers = { 'Content-Disposition': `attachment; filename="${invoice.number}.pdf"` }
  return new Reply(await drawInvoice(invoice), { headers })
}

/** The charges of a past month no longer change, so an invoice is always the same. */
function toAnswer(world: World, { id, month, issued_at, vat_percent }: IssuedInvoice): Invoice {
  const charged = world
    .store(billingStore)
    .usage(month)
    .filter(({ price, charged }) => price * charged > 0)
  const net = charged.reduce((sum, { price, charged }) => sum + price * charged, 0)
  const vat = percentOf(net, vat_percent)
  return {
    id,
    number: `INV-${month}`,
    status: 'PAID',
    month,
    period_start: isoTime(monthStartAt(month)),
    period_end: isoTime(monthEndAt(month)),
    currency: 'EUR',
    lines: charged.map(({ channel, classification, price, charged: quantity }) => ({
      channel,
      message_type: classification,
      unit_price: toEuros(price),
      quantity,
      amount: toEuros(price * quantity),
    })),
    net_amount: toEuros(net),
    vat_percent,
    vat_amount: toEuros(vat),
    total_amount: toEuros(net + vat),
    issued_at: isoTime(issued_at),
  }
}
