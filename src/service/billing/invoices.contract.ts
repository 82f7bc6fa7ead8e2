import { z } from 'zod'
import { InvoiceId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'
import { Month } from './account.contract.ts'
import { Classification } from './balance.contract.ts'

const Line = z.strictObject({
  channel: ChannelType.describe('What was sent over.'),
  message_type: Classification,
  unit_price: z.number().describe('Price in the tier that held at the send, EUR.'),
  quantity: z.int().describe('Messages charged at this price.'),
  amount: z.number().describe('unit_price × quantity, EUR.'),
})

export const Invoice = z
  .strictObject({
    id: InvoiceId,
    number: z.string().describe('What people call it: INV-2026-01.'),
    status: z.literal('PAID').describe('What it lists was charged to the prepaid balance.'),
    month: Month,
    period_start: Timestamp.describe('First instant of the period.'),
    period_end: Timestamp.describe('First instant after the period.'),
    currency: z.literal('EUR').describe('Of all amounts.'),
    lines: z.array(Line).describe('One for each channel, classification and price.'),
    net_amount: z.number().describe('All that was charged in the month, EUR.'),
    vat_percent: z.number().describe('Rate of value added tax.'),
    vat_amount: z.number().describe('Value added tax, EUR; stated only, never taken from the balance.'),
    total_amount: z.number().describe('net_amount + vat_amount, EUR.'),
    issued_at: Timestamp.describe('When it was issued.'),
  })
  .meta({ id: 'Invoice', description: 'What a calendar month has cost.' })
export type Invoice = z.infer<typeof Invoice>

const params = { id: InvoiceId.describe('Id of the invoice.') }

export const listInvoices = operation({
  id: 'billing.invoices',
  section: '4.6',
  summary: 'List invoices, newest first',
  details: 'There is one invoice for each past month with charges.',
  call: 'GET /v1/billing/invoices',
  query: z.strictObject(PageQuery),
  output: z.strictObject({ data: z.array(Invoice).describe('Newest first.'), ...PageFields }),
  band: 'billing',
  choice: true,
})

/** Bytes: never checked as text, and described to documents as what they are. */
const Pdf = z.string().meta({ format: 'binary' }) as unknown as z.ZodType<Uint8Array>

export const downloadInvoice = operation({
  id: 'billing.invoicePdf',
  section: '4.6',
  summary: 'Download an invoice as a PDF',
  call: 'GET /v1/billing/invoices/{id}/pdf',
  params,
  output: Pdf,
  media: 'application/pdf',
  problems: ['not_found'],
  band: 'billing',
  choice: true,
})
