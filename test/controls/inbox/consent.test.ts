import { expect, test } from 'vitest'
import { emptySandbox } from '../../service/contacts/plain.ts'

const pending = {
  channel_type: 'RCS',
  message_type: 'MESSAGE',
  status: 'PENDING',
  source: 'form',
  enforced_doi: true,
  doi_channel: 'EMAIL',
} as const

test('an inbox lists the newest message first, up to the limit', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: 'Ada@example.com' })
  for (let hour = 0; hour < 3; hour++) {
    await client.consent.record(id, pending)
    await sandbox.clock.advance('1h')
  }
  const { address, messages } = await client.inbox.show('ADA@EXAMPLE.com', { limit: 2 })
  expect(address.toLowerCase()).toBe('ada@example.com')
  expect(messages.map(({ at }) => at)).toEqual(['2026-01-01T02:00:00.000Z', '2026-01-01T01:00:00.000Z'])
  expect((await client.inbox.show('ada@example.com')).messages).toHaveLength(3)
})

test('an address that has received nothing has an empty inbox', async () => {
  await using sandbox = await emptySandbox()
  expect(await sandbox.client.inbox.show('+493023125001')).toEqual({
    address: '+493023125001',
    messages: [],
    cursor: '0.0',
  })
})

test.each(['ada', '030 23125001', 'ada@'])('the address %s is refused', async (address) => {
  await using sandbox = await emptySandbox()
  await expect(sandbox.client.inbox.show(address)).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'address' }],
  })
})
