import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { folder, worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const mail = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }

/** A month of charges at two prices: tier_2 begins with the fourth message. */
const tiers = [
  { name: 'tier_1', from: 0 },
  { name: 'tier_2', from: 4, discount_percent: 10 },
]

async function aMonth({ client, clock }: Sandbox) {
  for (let i = 0; i < 5; i++) await client.messages.send({ ...rcsText, to: phones.neverReads })
  await client.messages.send({ ...rcsText, to: phones.unknownUser })
  await client.messages.send(mail)
  await clock.advance('10m')
}

test('each month with charges has an invoice from its end on, with a line for each classification and price', async () => {
  const world = await worldLikeDefault((file) => Object.assign(file.billing, { tiers }))
  await using sandbox = await createSandbox({ world, now: '2026-01-31T12:00:00.000Z' })
  const { client, clock } = sandbox
  await aMonth(sandbox)
  await clock.advance('11h')
  expect((await client.billing.invoices()).data).toEqual([])
  const { fired } = await clock.advance('1h')
  expect(fired).toEqual([
    { at: '2026-02-01T00:00:00.000Z', what: 'billing.month', subject: expect.stringMatching(/^inv_/) },
  ])
  expect(await client.billing.invoices()).toEqual({
    data: [
      {
        id: fired[0]!.subject,
        number: 'INV-2026-01',
        status: 'PAID',
        month: '2026-01',
        period_start: '2026-01-01T00:00:00.000Z',
        period_end: '2026-02-01T00:00:00.000Z',
        currency: 'EUR',
        lines: [
          { channel: 'RCS', message_type: 'basic_message', unit_price: 0.05, quantity: 3, amount: 0.15 },
          { channel: 'RCS', message_type: 'basic_message', unit_price: 0.045, quantity: 2, amount: 0.09 },
          { channel: 'EMAIL', message_type: 'basic_message', unit_price: 0.005, quantity: 1, amount: 0.005 },
        ],
        net_amount: 0.245,
        vat_percent: 19,
        // 19 % of 0.245 is 0.04655, which rounds up.
        vat_amount: 0.0466,
        total_amount: 0.2916,
        issued_at: '2026-02-01T00:00:00.000Z',
      },
    ],
    next_cursor: null,
    has_more: false,
  })
})

test('a month without charges has none, and a charge counts in the month in which it was made', async () => {
  await using sandbox = await createSandbox({ now: '2026-01-31T23:59:00.000Z' })
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.after1Hour })
  await client.messages.send({ ...rcsText, to: phones.off, ttl: '10s' })
  await clock.advance('60d')
  const { data } = await client.billing.invoices()
  expect(data.map(({ month, net_amount }) => [month, net_amount])).toEqual([['2026-02', 0.05]])
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await clock.advance('62d')
  expect((await client.billing.invoices()).data.map(({ month }) => month)).toEqual(['2026-04', '2026-02'])
})

test('what is charged in the first instant of a month belongs to that month', async () => {
  // A carrier that delivers at the turn of the month, to the millisecond.
  const world = await worldLikeDefault((file) => {
    file.mail = { dispatch_delay: '500ms', delivery_delay: '500ms', open_delay: '1s', click_delay: '1s' }
  })
  await using sandbox = await createSandbox({ world, now: '2026-01-31T23:59:58.999Z' })
  const { client, clock } = sandbox
  await client.messages.send(mail)
  await clock.advance('1ms')
  await client.messages.send(mail)
  await clock.advance('31d')
  const { data } = await client.billing.invoices()
  expect(data.map(({ month, net_amount }) => [month, net_amount])).toEqual([
    ['2026-02', 0.005],
    ['2026-01', 0.005],
  ])
})

test('an invoice is a PDF that says what the invoice says, and is the same bytes each time', async () => {
  const world = await worldLikeDefault((file) => Object.assign(file.billing, { tiers, vat_percent: 7 }))
  const made = async () => {
    const sandbox = await createSandbox({ world, seed: 'again' })
    await aMonth(sandbox)
    await sandbox.clock.advance('31d')
    return sandbox
  }
  await using sandbox = await made()
  const invoice = (await sandbox.client.billing.invoices()).data[0]!
  const path = `/v1/billing/invoices/${invoice.id}/pdf`
  const answer = await ask(sandbox, 'GET', path)
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(answer.bytes.length),
      'content-disposition': 'attachment; filename="INV-2026-01.pdf"',
      'x-request-id': expect.stringMatching(/^req_/),
    },
  })
  expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const pdf = await getDocumentProxy(new Uint8Array(answer.bytes))
  expect(pdf.numPages).toBe(1)
  const text = (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ')
  for (const path of [
    'Invoice INV-2026-01',
    invoice.id,
    'RCS basic_message 0.0500 3 0.1500',
    'RCS basic_message 0.0450 2 0.0900',
    'EMAIL basic_message 0.0050 1 0.0050',
    'Net 0.2450',
    'VAT 7 % 0.0172',
    'Total 0.2622',
  ])
    expect(text).toContain(path)
  expect(invoice).toMatchObject({ net_amount: 0.245, vat_amount: 0.0172, total_amount: 0.2622 })

  expect(await sandbox.client.billing.invoicePdf(invoice.id)).toEqual(answer.bytes)
  await using other = await made()
  expect((await ask(other, 'GET', path)).bytes.equals(answer.bytes)).toBe(true)
})

test('a long invoice has several pages', async () => {
  const { drawInvoice } = await import('../../../src/service/billing/pdf.ts')
  const line = { channel: 'RCS', message_type: 'basic_message', quantity: 1, amount: 0.05 } as const
  const bytes = await drawInvoice({
    id: 'inv_00000000-0000-4000-8000-000000000001',
    number: 'INV-2026-01',
    status: 'PAID',
    month: '2026-01',
    period_start: '2026-01-01T00:00:00.000Z',
    period_end: '2026-02-01T00:00:00.000Z',
    currency: 'EUR',
    lines: Array.from({ length: 100 }, (_, i) => ({ ...line, unit_price: i / 10_000 })),
    net_amount: 5,
    vat_percent: 19,
    vat_amount: 0.95,
    total_amount: 5.95,
    issued_at: '2026-02-01T00:00:00.000Z',
  })
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  expect(pdf.numPages).toBe(3)
  const { text } = await extractText(pdf, { mergePages: true })
  for (const price of ['0.0000', '0.0042', '0.0099', '5.9500']) expect(text).toContain(price)
})

test('an unknown or future invoice is a 404', async () => {
  await using sandbox = await createSandbox()
  await aMonth(sandbox)
  await expect(sandbox.client.billing.invoicePdf('inv_x')).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('the invoice of a month exists even if the emulator was stopped at its end', async () => {
  const data = await folder()
  {
    await using sandbox = await createSandbox({ data, now: '2026-01-10T00:00:00.000Z' })
    await aMonth(sandbox)
  }
  await using sandbox = await createSandbox({ data })
  await sandbox.clock.advance('40d')
  expect((await sandbox.client.billing.invoices()).data).toMatchObject([
    { month: '2026-01', issued_at: '2026-02-01T00:00:00.000Z' },
  ])
})
