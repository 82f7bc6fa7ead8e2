import { expect, test } from 'vitest'
import { worldWith } from '../../folder.ts'
import { ask } from '../../http.ts'
import { createSandbox } from '../../sandbox.ts'

const withBounds = async (request_log: object) => createSandbox({ world: await worldWith({ request_log }) })

test('the newest requests are kept, and the log says how many it dropped', async () => {
  await using sandbox = await withBounds({ keep: 10 })
  for (let n = 0; n < 300; n++) await sandbox.client.billing.balance()
  const { requests, first_seq, last_seq, dropped } = await sandbox.client.logs.list({ after: 0 })
  expect(requests.map(({ seq }) => seq)).toEqual([291, 292, 293, 294, 295, 296, 297, 298, 299, 300])
  expect({ first_seq, last_seq, dropped }).toEqual({ first_seq: 291, last_seq: 300, dropped: 290 })
  await expect(sandbox.client.logs.show('1')).rejects.toMatchObject({ message: expect.stringContaining('oldest 290') })
})

test('a request reads the same when many newer ones follow', async () => {
  await using sandbox = await createSandbox()
  const { logs, contacts, billing } = sandbox.client
  const written = [{ email: 'a@example.com', first_name: 'Zoë "Ω" 😀' }, { email: 'no address' }]
  for (const one of written) await contacts.create(one).catch(() => {})
  await ask(sandbox, 'POST', '/v1/contacts', { body: 'ä'.repeat(20_000) })
  for (let n = 0; n < 20; n++) await billing.balance()
  const before = await logs.list({ after: 0, full: 'true' })
  for (let n = 0; n < 150; n++) await billing.balance()
  const after = await logs.list({ after: 0, limit: 50, full: 'true' })
  expect(after.requests.slice(0, 23)).toEqual(before.requests)
  expect(after).toMatchObject({ total: 173, first_seq: 1, last_seq: 173, has_more: true })
  const newest = await logs.list({ before: 40, limit: 20 })
  expect(newest.requests.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => 20 + i))
  expect(await logs.show('1')).toMatchObject({ request: before.requests[0]!.request })
  expect(await logs.clear()).toEqual({ cleared: 173 })
  expect((await logs.list()).requests).toEqual([])
})

test('large requests push more of the others out', async () => {
  await using sandbox = await withBounds({ keep_bytes: 64 * 1024 })
  const contacts = Array.from({ length: 300 }, (_, i) => ({ email: `n${i}@example.com`, first_name: 'x'.repeat(30) }))
  for (let n = 0; n < 6; n++) await sandbox.client.contacts.import({ contacts })
  const { requests, dropped } = await sandbox.client.logs.list({ after: 0, full: 'true' })
  expect(requests.length).toBeGreaterThan(1)
  expect(requests.length).toBeLessThan(5)
  expect(dropped).toBe(6 - requests.length)
})

test.for([
  [{ keep: 0 }, 'request_log.keep'],
  [{ keep: 1e9 }, 'request_log.keep'],
  [{ bytes: 5 }, 'request_log.bytes'],
] as const)('a world file with the request log %j is refused', async ([bounds, field]) => {
  await expect(withBounds(bounds)).rejects.toMatchObject({ details: [{ field }] })
})
