import { expect, test } from 'vitest'
import { folder, worldWith } from '../../folder.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox.ts'

/** Deliveries in progress at once: to an endpoint, and to all. */
const AT_ONCE = 32
const ENDPOINTS = 256 / AT_ONCE

const happen = ({ client }: Sandbox, count: number, name: string) =>
  client.contacts.import({ contacts: Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@example.com` })) })

const countPending = async ({ client }: Sandbox) => {
  const [{ id: endpoint_id } = {}] = (await client.webhooks.list({ limit: 1 })).data
  return (await client.events.deliveries({ endpoint_id, status: 'pending', limit: 1 })).total
}

/**
 * A sandbox whose deliveries are late: silent endpoints leave room for one, whose receiver holds all answers but the first. The
 * clock, frozen until the first events have their deliveries, is so fast that each delivery that waits for this answer is late.
 */
async function startLate(options: SandboxOptions = {}) {
  const [receiver, silent] = [await startReceiver(), await startReceiver()]
  silent.answer('never')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: first, resolve: releaseFirst } = Promise.withResolvers<void>()
  receiver.answer((_, n) => (n === 1 ? first : released).then(() => 200))
  const world = await worldWith({ event_log: { keep: 100 }, webhooks: { timeout: '60s' } })
  const sandbox = await createSandbox({ world, clock: 'frozen', ...options })
  for (const { url } of [...Array(ENDPOINTS - 1).fill(silent), receiver])
    await sandbox.client.webhooks.create({ url, events: ['contact.*'] })
  await happen(sandbox, AT_ONCE + 8, 'early')
  await sandbox.clock.mode('scaled:10000')
  await receiver.until(AT_ONCE)
  releaseFirst()
  await receiver.until(AT_ONCE + 1)
  return {
    sandbox,
    receiver,
    release,
    async [Symbol.asyncDispose]() {
      release()
      await sandbox[Symbol.asyncDispose]()
      await Promise.all([receiver, silent].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

test('while deliveries are late, events wait in the log and reach the endpoints that were subscribed to them', async () => {
  await using late = await startLate()
  const { sandbox, receiver, release } = late
  const { client } = sandbox
  const [first] = (await client.webhooks.list({ limit: 1 })).data
  const { id } = await client.webhooks.create({ url: `${receiver.url}/removed`, events: ['contact.*'] })
  await happen(sandbox, 150, 'waiting')
  await client.webhooks.delete(id)
  expect(await countPending(sandbox)).toBe(AT_ONCE + 7)
  await client.webhooks.update(first!.id, { events: ['contact.deleted'] })
  await client.webhooks.create({ url: `${receiver.url}/later`, events: ['contact.imported'] })
  await happen(sandbox, 5, 'later')
  release()
  await receiver.until(AT_ONCE + 8 + 150 + 5)
  const pathsOf = (name: string) =>
    receiver.received.filter(({ body }) => body.includes(`"${name}`)).map(({ path }) => path)
  expect(pathsOf('waiting')).toEqual(Array(150).fill('/hook'))
  expect(pathsOf('later')).toEqual(Array(5).fill('/hook/later'))
})

test('events that wait for their deliveries are delivered after a restart', async () => {
  const data = await folder()
  await using late = await startLate({ data })
  await happen(late.sandbox, 150, 'waiting')
  await late.sandbox.stop()
  late.release()
  await using _ = await createSandbox({ data, clock: 'scaled:10000' })
  const isComplete = () => new Set(late.receiver.received.map(({ event }) => event.id)).size === AT_ONCE + 8 + 150
  while (!isComplete()) await late.receiver.until(late.receiver.received.length + 1)
})

test('a reset of the events ends their wait', async () => {
  await using late = await startLate()
  const { sandbox, receiver, release } = late
  await happen(sandbox, 150, 'waiting')
  await sandbox.reset('events')
  expect(await countPending(sandbox)).toBe(0)
  release()
  await happen(sandbox, 1, 'new')
  await receiver.until(AT_ONCE + 2)
  expect(receiver.received.at(-1)!.body).toContain('"new0')
})

test('a release of a lease cancels its deliveries that wait', async () => {
  await using late = await startLate()
  const { sandbox, receiver, release } = late
  const phone = await sandbox.lease.phone()
  await sandbox.client.contacts.import({ contacts: [{ phone: phone.address }] })
  await phone.release()
  await happen(sandbox, 1, 'new')
  release()
  await receiver.until(AT_ONCE + 8 + 1)
  const last = receiver.received.slice(-1).map(({ body }) => body)
  expect(last).toEqual([expect.stringContaining('"new0')])
  expect(receiver.received.filter(({ body }) => body.includes(phone.address))).toEqual([])
})
