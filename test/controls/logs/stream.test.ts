import { expect, test } from 'vitest'
import { worldWith } from '../../folder.ts'
import { createSandbox } from '../../sandbox.ts'
import { openRequestStream } from './request-stream.ts'

test('a stream begins with the position of the log, followed by each answered request', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.list()
  await using stream = await openRequestStream(sandbox)
  expect(await stream.hello()).toMatchObject({ first_seq: 1, last_seq: 1, dropped: 0, namespace: 'default' })
  await sandbox.client.billing.balance()
  expect(await stream.items(1)).toMatchObject([{ seq: 2, operation: 'billing.balance', status: 200 }])
})

test('a stream shows only what is asked for, and goes on after Last-Event-ID', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (let n = 0; n < 3; n++) await client.messages.get('msg_none').catch(() => {})
  await using stream = await openRequestStream(sandbox, '?status=404&heartbeat=100ms', { lastEventId: '1' })
  await client.messages.list()
  await client.messages.get('msg_none').catch(() => {})
  expect((await stream.items(3)).map(({ seq }) => seq)).toEqual([2, 3, 5])
  expect((await stream.comments(1)).at(-1)).toBe('at 5')
})

test('a stream reports events that were dropped before they could be read', async () => {
  await using sandbox = await createSandbox({ world: await worldWith({ request_log: { keep: 2 } }) })
  for (let n = 0; n < 5; n++) await sandbox.client.messages.list()
  await using stream = await openRequestStream(sandbox, '?after=1')
  expect(await stream.items(3)).toMatchObject([{ after: 1, first_seq: 4, dropped: 3 }, { seq: 4 }, { seq: 5 }])
})

test('a stream goes through a reset', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.list()
  await using stream = await openRequestStream(sandbox)
  await stream.hello()
  await sandbox.client.world.reset({ scope: 'all' })
  await sandbox.client.messages.list()
  expect(await stream.items(2)).toMatchObject([{ operation: 'world.reset' }, { operation: 'messages.list' }])
})
