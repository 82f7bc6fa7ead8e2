import { z } from 'zod'
import { InvoiceId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'
import { Month } from './account.contract.ts'
import { Classification } from './balance.contract.ts'

const Line = z.strictObject({
  channel: ChannelType.describe('Channel of the messages.'),
  message_type: Classification,
  unit_price: z.number().describe('Price in the tier of the send, EUR.'),
  quantity: z.int().describe('Number of messages charged at this price.'),
  amount: z.number().describe('unit_price × quantity, EUR.'),
})

export const Invoice = z
  .strictObject({
    id: InvoiceId,
    number: z.string().describe('Invoice number, such as INV-2026-01.'),
    status: z.literal('PAID').describe('Payment status. The amounts were charged to the prepaid balance.'),
    month: Month,
    period_start: Timestamp.describe('Start of the period.'),
    period_end: Timestamp.describe('End of the period, exclusive.'),
    currency: z.literal('EUR').describe('Currency of all amounts.'),
    lines: z.array(Line).describe('One item for each channel, classification and price.'),
    net_amount: z.number().describe('Amount charged in the month, EUR.'),
    vat_percent: z.number().describe('Rate of value added tax.'),
    vat_amount: z.number().describe('Value added tax, EUR; stated only, not charged to the balance.'),
    total_amount: z.number().describe('net_amount + vat_amount, EUR.'),
    issued_at: Timestamp.describe('Time of issue.'),
  })
  .meta({ id: 'Invoice', description: 'Cost of a calendar month.' })
export type Invoice = z.infer<typeof Invoice>

const params = { id: InvoiceId.describe('Id of the invoice.') }

export const listInvoices = operation({
  id: 'billing.invoices',
  section: '4.6',
  summary: 'List invoices, newest first',
  details: 'There is one invoice for each past month with charges.',
  call: 'GET /v1/billing/invoices',
  query: z.strictObject(PageQuery),
  output: z.strictObject({ data: z.array(Invoice).describe('Invoices, newest first.'), ...PageFields }),
  choice: true,
})

/** Bytes. The schema serves the OpenAPI document only; nothing parses them as text. */
const Pdf = z.string().meta({ format: 'binary' }) as unknown as z.ZodType<Uint8Array>

export const downloadInvoice = operation({
  id: 'billing.invoicePdf',
  section: '4.6',
  summary: 'Download an invoice as a PDF',
  call: 'GET /v1/billing/invoices/{id}/pdf',
  params,
  output: Pdf,
  media: 'application/pdf',
  choice: true,
})
