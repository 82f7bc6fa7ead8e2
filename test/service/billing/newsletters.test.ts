import { expect, test } from 'vitest'
import { agents, contactOf, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const newsletter = { ...rcsText, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION', to: phones.neverReads } as const
const consent = { channel_type: 'RCS', message_type: 'NEWSLETTER', source: 'test' } as const

const recordOf = async ({ client }: Sandbox, contact: string) =>
  (await client.consent.list(contact)).consent_records.find(
    ({ channel_type, message_type }) => channel_type === 'RCS' && message_type === 'NEWSLETTER',
  )!

test('a newsletter needs an agent that was created for it', async () => {
  await using sandbox = await createSandbox()
  await expect(sandbox.client.messages.send({ ...newsletter, agent_id: agents.promotional })).rejects.toMatchObject({
    status: 422,
    code: 'missing_consent',
    body: { details: [{ field: 'agent_id', code: 'newsletter_not_enabled' }] },
  })
})

test('a newsletter needs consent that is granted now: none, pending and revoked are all missing_consent', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const send = () => client.messages.send(newsletter)
  const contact = contactOf(1)
  const refused = { status: 422, code: 'missing_consent' }
  await client.consent.revoke(contact, (await recordOf(sandbox, contact)).id)
  await expect(send()).rejects.toMatchObject(refused)
  await client.consent.record(contact, { ...consent, status: 'PENDING', enforced_doi: true, doi_channel: 'RCS' })
  await expect(send()).rejects.toMatchObject(refused)
  await client.consent.confirm(contact, (await recordOf(sandbox, contact)).id)
  expect((await send()).billing).toMatchObject({ message_type: 'mau', mau_charged: true })

  const { id } = await client.contacts.create({ phone: '+491713929999' })
  await expect(client.messages.send({ ...newsletter, to: '+491713929999' })).rejects.toMatchObject(refused)
  await client.consent.record(id, { ...consent, status: 'GRANTED' })
  expect((await client.messages.send({ ...newsletter, to: '+491713929999' })).billing).toMatchObject({
    hold_amount: 0.2,
  })
})

test('consent to messages does not cover newsletters, and the reverse', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ phone: '+491713929999' })
  const to = '+491713929999'
  await client.consent.record(id, { ...consent, message_type: 'MESSAGE', status: 'GRANTED' })
  await expect(client.messages.send({ ...newsletter, to })).rejects.toMatchObject({ code: 'missing_consent' })
  const other = await client.contacts.create({ phone: '+491713929998' })
  await client.consent.record(other.id, { ...consent, status: 'GRANTED' })
  await expect(client.messages.send({ ...rcsText, to: '+491713929998' })).rejects.toMatchObject({
    code: 'missing_consent',
  })
})

test('consent revoked and granted again within a month does not charge the subscriber twice', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  expect((await client.messages.send(newsletter)).billing.mau_charged).toBe(true)
  await clock.advance('1m')
  await client.consent.revoke(contactOf(1), (await recordOf(sandbox, contactOf(1))).id)
  await client.consent.record(contactOf(1), { ...consent, status: 'GRANTED' })
  expect((await client.messages.send(newsletter)).billing).toMatchObject({ mau_charged: false, hold_amount: 0 })
})

test('one subscriber costs once in each calendar month, however often, and the invoices say so', async () => {
  await using sandbox = await createSandbox({ now: '2026-01-30T12:00:00.000Z' })
  const { client, clock } = sandbox
  const charged: (boolean | undefined)[] = []
  for (let day = 0; day < 6; day++) {
    charged.push((await client.messages.send(newsletter)).billing.mau_charged)
    await clock.advance('12h')
    charged.push((await client.messages.send(newsletter)).billing.mau_charged)
    await clock.advance('12h')
  }
  // The 30th and 31st of January, then the 1st to 4th of February; midnight of the 31st already is February.
  expect(charged).toEqual([true, false, false, true, ...Array(8).fill(false)])
  await clock.advance('30d')
  const { data } = await client.billing.invoices()
  expect(data.map(({ month, lines }) => [month, lines])).toEqual([
    ['2026-02', [{ channel: 'RCS', message_type: 'mau', unit_price: 0.2, quantity: 1, amount: 0.2 }]],
    ['2026-01', [{ channel: 'RCS', message_type: 'mau', unit_price: 0.2, quantity: 1, amount: 0.2 }]],
  ])
  expect((await client.billing.usage({ month: '2026-02' })).total).toMatchObject({ messages: 9, held_amount: 0.2 })
})
