import { lutimes, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { folder } from '../../folder.ts'
import { everythingOf } from '../../http.ts'
import { holdMachineClock, moveMachineClock } from '../../machine-clock.ts'
import { phones, rcsText } from '../../magic.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox.ts'
import { openEventStream } from '../../service/webhooks/event-stream.ts'

afterEach(() => vi.unstubAllEnvs())

/** At most one world is open, so using another one evicts the first. */
const crowded = (options: SandboxOptions = {}) => createSandbox({ maxOpenNamespaces: 1, ...options })

async function stateOf({ client }: Sandbox, name: string) {
  return (await client.namespaces.list()).namespaces.find((one) => one.name === name)?.state
}

test.for([
  ['all of them open', 256],
  ['eight of them open at a time', 8],
] as const)('sixty namespaces, %s, used in parallel do not see each other', async ([_, maxOpenNamespaces]) => {
  await using sandbox = await createSandbox({ maxOpenNamespaces })
  const all = Array.from({ length: 60 }, (_, i) => `suite-${i}`)
  const sent = (i: number) => 1 + (i % 2)
  const use = async (name: string, i: number) => {
    const client = sandbox.as(name)
    for (let n = 0; n < sent(i); n++) await client.messages.send({ ...rcsText, to: phones.readsAll })
    await client.contacts.create({ email: `${name}@example.com`, external_id: 'me' })
    await client.clock.advance({ by: `${1 + i}h` })
  }
  const look = async (name: string, i: number) => {
    const client = sandbox.as(name)
    expect((await client.messages.list()).messages.map(({ status }) => status)).toEqual(Array(sent(i)).fill('read'))
    expect(await client.contacts.get('me')).toMatchObject({ email: `${name}@example.com` })
    const { now } = await client.clock.show()
    expect(Date.parse(now) - Date.parse('2026-01-01T00:00:00Z')).toBe((1 + i) * 3_600_000)
    expect((await client.billing.balance()).total).toBeCloseTo(1_000 - 0.05 * sent(i), 4)
  }
  await Promise.all(all.map(use))
  await Promise.all(all.map(look))
  expect((await sandbox.client.namespaces.list()).namespaces).toHaveLength(all.length + 1)
})

test('due work wakes a sleeping world', async () => {
  await using sandbox = await crowded({ clock: 'frozen' })
  await using receiver = await startReceiver()
  const suite = sandbox.as('suite')
  await suite.webhooks.create({ url: receiver.url, events: ['message.delivered'] })
  await suite.messages.send({ ...rcsText, to: phones.after30Seconds })
  await suite.clock.advance({ by: '5s' })
  holdMachineClock()
  // The rest of the 30 s takes two seconds of the machine.
  await suite.clock.mode({ mode: 'scaled', factor: 13 })
  expect(await stateOf(sandbox, 'suite')).toBe('asleep')
  expect((await sandbox.client.namespaces.list()).namespaces[1]!.next_due_at).not.toBeNull()
  moveMachineClock(2_000)
  const [delivered] = await receiver.until(1)
  expect(delivered!.event.event).toBe('message.delivered')
})

test('a world that is followed, or whose clock is being advanced, does not sleep', async () => {
  await using sandbox = await crowded()
  await using receiver = await startReceiver()
  receiver.answer('never')
  const suite = sandbox.as('suite')
  await suite.webhooks.create({ url: receiver.url, events: ['*'] })
  const stream = await openEventStream(sandbox, '', { apiKey: 'sk_sandbox_followed' })
  await stream.hello()
  await suite.contacts.create({ email: 'ada@example.com' })
  const refusal = suite.clock.advance({ by: '1s' }).then(
    () => undefined,
    (error: unknown) => error,
  )
  await receiver.until(1)
  expect(await stateOf(sandbox, 'suite')).toBe('open')
  expect(await stateOf(sandbox, 'followed')).toBe('open')
  await sandbox.as('followed').contacts.create({ email: 'bob@example.com' })
  expect(await stream.events(1)).toHaveLength(1)
  await stream[Symbol.asyncDispose]()
  await sandbox.client.namespaces.delete('suite')
  expect(await refusal).toMatchObject({ code: 'world_replaced' })
})

test('sleeping worlds of memory mode are in a private folder, which is removed with the sandbox', async () => {
  const temporary = await folder()
  vi.stubEnv('TMPDIR', temporary)
  const sandbox = await crowded()
  await sandbox.as('suite').contacts.create({ email: 'ada@example.com' })
  await sandbox.client.clock.show()
  const [name] = await readdir(temporary)
  expect((await stat(join(temporary, name!))).mode & 0o777).toBe(0o700)
  expect((await stat(join(temporary, name!, 'suite.db'))).mode & 0o777).toBe(0o600)
  await sandbox.stop()
  expect(await readdir(temporary)).toEqual([])
})

test('folders of killed processes are removed at the next start; folders in use and foreign folders stay', async () => {
  const linked = await folder()
  const temporary = await folder()
  vi.stubEnv('TMPDIR', temporary)
  await using other = await crowded()
  await other.as('suite').contacts.create({ email: 'ada@example.com', external_id: 'ada' })
  await other.client.clock.show()
  const [used] = await readdir(temporary)
  const left = join(temporary, 'messaging-sandbox-asleep-left')
  const foreign = join(temporary, 'messaging-sandbox-data')
  for (const path of [left, foreign]) {
    await mkdir(path)
    await writeFile(join(path, 'suite.db'), 'bytes')
  }
  const link = 'messaging-sandbox-asleep-link'
  await symlink(linked, join(temporary, link))
  // Older than a folder whose lock is still missing.
  const secondsAgo = Date.now() / 1000 - 5
  for (const path of [left, foreign, linked, join(temporary, used!)]) await utimes(path, secondsAgo, secondsAgo)
  await lutimes(join(temporary, link), secondsAgo, secondsAgo)
  await using _ = await createSandbox()
  await expect.poll(() => readdir(temporary)).toEqual([used, link, 'messaging-sandbox-data'].sort())
  expect(await readdir(linked)).toEqual([])
  expect(await other.as('suite').contacts.get('ada')).toMatchObject({ external_id: 'ada' })
})

test('all worlds of a data folder go on after a start, also those that are not kept open', async () => {
  const data = await folder()
  {
    await using sandbox = await createSandbox({ data })
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await sandbox.as(name).messages.send({ ...rcsText, to: phones.readsAll })
  }
  await using sandbox = await createSandbox({ data, clock: 'auto', maxOpenNamespaces: 2 })
  const all = async () => (await sandbox.client.namespaces.list()).namespaces
  expect(await all()).toHaveLength(6)
  await expect.poll(async () => (await all()).every(({ clock }) => clock?.mode === 'auto')).toBe(true)
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await expect.poll(async () => (await sandbox.as(name).messages.list()).messages[0]!.status).toBe('read')
})

test('a reset or restore of a world that sleeps is as of one that does not', async () => {
  await using sandbox = await crowded()
  const suite = sandbox.as('suite')
  const fresh = await everythingOf(suite)
  await suite.contacts.create({ email: 'ada@example.com' })
  expect(await stateOf(sandbox, 'suite')).toBe('asleep')
  await sandbox.client.namespaces.reset('suite')
  const after = await everythingOf(suite)
  expect({ ...after, events: after.events.events }).toEqual({ ...fresh, events: fresh.events.events })
})
