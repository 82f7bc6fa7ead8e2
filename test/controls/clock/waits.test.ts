import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { holdTimers } from '../../machine-clock.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox } from '../../sandbox.ts'
import { urlOf } from '../../url-of.ts'

/** Answers on request of the test. */
async function slowReceiver() {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const server = createServer(async (_, res) => {
    await mayAnswer
    res.end()
  })
  return { url: `${await urlOf(server)}/hook`, answer }
}

test('an advance that waits for a receiver names it and how to stop waiting', async () => {
  await using sandbox = await createSandbox()
  const { url, answer } = await slowReceiver()
  const { id } = await sandbox.client.webhooks.create({ url, events: ['contact.created'] })
  for (const email of ['ada@example.com', 'bob@example.com']) await sandbox.client.contacts.create({ email })
  const second = holdTimers(1_000)
  const advance = sandboxCommand(['clock', 'advance', '1s', '--base-url', sandbox.url])
  const waiting_for = [{ endpoint_id: id, url, deliveries: 2 }]
  await expect.poll(async () => (await sandbox.client.clock.show()).waiting_for).toEqual(waiting_for)
  // It looks after a second, and again; before the third look, both were answered.
  for (let looks = 0; looks < 2; looks++) await second.pass()
  await expect.poll(second.started).toBe(3)
  answer()
  const { code, stderr } = await advance
  expect(code).toBe(0)
  const [first, ...more] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(more).toEqual([])
  expect(first).toMatchObject({
    type: 'waiting',
    ...waiting_for[0],
    hint: expect.stringContaining(`webhooks delete ${id}`),
  })
  expect((await sandbox.client.clock.show()).waiting_for).toEqual([])
})

test('an endpoint that has answered is not waited for, although its answer takes effect after that of a slow one', async () => {
  await using receiver = await startReceiver()
  await using sandbox = await createSandbox()
  const { url, answer } = await slowReceiver()
  const slow = await sandbox.client.webhooks.create({ url, events: ['contact.created'] })
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const advance = sandbox.clock.advance('1s')
  await receiver.until(1)
  const waiting = async () => (await sandbox.client.clock.show()).waiting_for.map(({ endpoint_id }) => endpoint_id)
  await expect.poll(waiting).toEqual([slow.id])
  answer()
  await advance
})

test('an advance that does not wait prints only its answer', async () => {
  await using sandbox = await createSandbox()
  expect(await sandboxCommand(['clock', 'advance', '1h', '--base-url', sandbox.url])).toMatchObject({
    code: 0,
    stderr: '',
  })
})
