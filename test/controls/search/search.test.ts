import { expect, test } from 'vitest'
import { agents } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

async function say(sandbox: Sandbox, text: string, to = '+491713920050') {
  const rcs = { agent_id: agents.multi, to, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
  return (await sandbox.client.messages.send({ ...rcs, content: { text } })).message_id
}

test('messages are found by what they say, newest first, and counted', async () => {
  await using sandbox = await createSandbox()
  const first = await say(sandbox, 'Your parcel is late')
  await say(sandbox, 'Your table is booked')
  const second = await say(sandbox, 'A PARCEL for you')
  const { messages, total } = await sandbox.client.messages.search({ text: 'parcel' })
  expect({ total, ids: messages.map(({ id }) => id) }).toEqual({ total: 2, ids: [second, first] })
  expect(messages[0]).toEqual(await sandbox.client.messages.get(second))
})

test('they are found by recipient and id too, and by the filters of the list', async () => {
  await using sandbox = await createSandbox()
  const id = await say(sandbox, 'one', '+491713920051')
  await say(sandbox, 'two', '+491713920052')
  const found = async (query: Parameters<typeof sandbox.client.messages.search>[0]) =>
    (await sandbox.client.messages.search(query)).total
  expect(await found({ text: '3920051' })).toBe(1)
  expect(await found({ text: id.slice(0, 20) })).toBe(1)
  expect(await found({})).toBe(2)
  expect(await found({ to: '+491713920052' })).toBe(1)
  expect(await found({ to: '+491713920052', text: 'one' })).toBe(0)
  expect(await found({ status: 'queued' })).toBe(2)
  expect(await found({ status: 'read' })).toBe(0)
})

test('the search term is plain text, and can contain characters that JSON escapes', async () => {
  await using sandbox = await createSandbox()
  await say(sandbox, '100% "sure" – C:\\temp_1~\nnext')
  const found = async (text: string) => (await sandbox.client.messages.search({ text })).total
  for (const text of ['100%', '"sure"', 'C:\\temp', '_1~', '~\nnext', '– C']) expect(await found(text), text).toBe(1)
  for (const text of ['100_', '%sure%', 'temp-1', 'x%']) expect(await found(text), text).toBe(0)
})

test('a page of any place can be asked for, and the count stays that of all', async () => {
  await using sandbox = await createSandbox()
  const ids: string[] = []
  for (const text of ['a1', 'a2', 'a3', 'a4', 'a5']) ids.unshift(await say(sandbox, text))
  const { messages, total } = await sandbox.client.messages.search({ text: 'a', limit: 2, offset: 3 })
  expect({ total, ids: messages.map(({ id }) => id) }).toEqual({ total: 5, ids: ids.slice(3) })
})

test('an empty text and an unknown filter are refused by name', async () => {
  await using sandbox = await createSandbox()
  const search = sandbox.client.messages.search as (query: object) => Promise<unknown>
  await expect(search({ text: '' })).rejects.toMatchObject({ code: 'validation_error', details: [{ field: 'text' }] })
  await expect(search({ txt: 'a' })).rejects.toMatchObject({ code: 'validation_error', details: [{ field: 'txt' }] })
})
