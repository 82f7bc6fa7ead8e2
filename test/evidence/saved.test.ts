import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Evidence, Item } from '../../src/controls/evidence/item.ts'
import { saveEvidence } from '../../src/evidence/save.ts'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

async function saved({ client }: Sandbox, title = 'A shop > sends an order') {
  const place = join(await folder(), 'failures')
  const { html, snapshot } = await saveEvidence(client, {
    folder: place,
    name: 'a-shop-sends-an-order',
    title,
    error: 'expected 1 to be 2',
  })
  const page = await readFile(html, 'utf8')
  const data = /<script type="application\/json" id="shown">(.*?)<\/script>/.exec(page)![1]!
  return { page, html, snapshot, evidence: JSON.parse(data) as Evidence }
}

const lines = (items: readonly Item[]) => items.map(({ kind, title }) => `${kind}: ${title}`)
const factsOf = (items: readonly Item[], title: string) =>
  Object.fromEntries(items.find((item) => item.title.includes(title))!.facts.map(({ label, text }) => [label, text]))

test('what lies in the place of the files is replaced, never written to', async () => {
  await using sandbox = await createSandbox()
  const place = await folder()
  const victim = join(await folder(), 'victim')
  await writeFile(victim, 'precious')
  await symlink(victim, join(place, 'a.html'))
  await writeFile(join(place, 'a.snapshot'), 'earlier', { mode: 0o644 })
  const { snapshot } = await saveEvidence(sandbox.client, { folder: place, name: 'a', title: 'A' })
  expect(await readFile(victim, 'utf8')).toBe('precious')
  if (process.platform !== 'win32') expect((await stat(snapshot)).mode & 0o777).toBe(0o600)
})

test('one timeline shows everything that led to a failure, each entry behind the request that caused it', async () => {
  await using receiver = await startReceiver()
  receiver.answer({ status: 500, body: 'order 4711 is unknown' })
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['message.queued'] })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  await client.messages.send({ ...rcsText, to: '+4915112345678' }).catch(() => {})
  await client.rules.add({
    name: 'spam week',
    match: { text_contains: 'Hello' },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
  })
  const second = await client.messages.send({ ...rcsText, to: '+491713920050', content: { text: 'Hello' } })
  await sandbox.settle()
  await sandbox.clock.advance('30s')
  const { evidence } = await saved(sandbox)
  expect(lines(evidence.items.filter((item) => item.message_id === message_id)).slice(0, 6)).toEqual([
    'request: POST /v1/messages → 200',
    `step: accepted: message to ${phones.readsAll}`,
    `step: priced: message to ${phones.readsAll}`,
    'money: hold 0.05 EUR',
    'event: message.queued',
    `webhook: message.queued, attempt 1 → 500 from ${receiver.url}`,
  ])
  expect(factsOf(evidence.items, 'missing_consent').refused).toMatch(/no consent/i)
  expect(factsOf(evidence.items, 'accepted')).toHaveProperty('consent')
  expect(factsOf(evidence.items, 'attempt 1 → 500')).toMatchObject({ 'the handler answered': 'order 4711 is unknown' })
  const planned = evidence.items.find((item) => item.message_id === second.message_id && /planned/.test(item.title))!
  expect(planned.facts.map(({ text }) => text).join('\n')).toContain('spam week')
  // Effects of a moved clock come after the request that moved it, and none before.
  const advanced = lines(evidence.items).findIndex((line) => line.includes('/clock/advance'))
  expect(lines(evidence.items).indexOf('event: message.delivered')).toBeGreaterThan(advanced)
})

test('every item has its time on both clocks', async () => {
  await using sandbox = await createSandbox({ now: '2031-05-01T10:00:00.000Z' })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('24h')
  const { evidence } = await saved(sandbox)
  const machineDay = evidence.saved_at.slice(0, 10)
  const read = evidence.items.find(({ title }) => title === 'message.read')!
  expect(read.at).toMatch(/^2031-05-01T10:00:/)
  expect(read).toMatchObject({ is_estimated: true, machine_at: expect.stringContaining(machineDay) })
  const machine = evidence.items.map(({ machine_at }) => Date.parse(machine_at))
  expect(machine).toEqual(machine.toSorted((a, b) => a - b))
})

test('secrets stay out of the page, and only its user may read the world', async () => {
  await using sandbox = await createSandbox()
  const { client, apiKey } = sandbox
  const { secret } = await client.webhooks.create({ url: 'http://ada:hunter2@localhost:9/hook', events: ['message.*'] })
  await client.messages.send({ ...rcsText, to: phones.readsAll, content: { text: `The key is ${apiKey}` } })
  await sandbox.settle()
  const { page, html, snapshot, evidence } = await saved(sandbox)
  for (const kept of [secret!, 'hunter2', `The key is ${apiKey}`]) expect(page).not.toContain(kept)
  expect(evidence.items.some(({ title }) => title.includes('/v1/webhooks'))).toBe(true)
  expect((await stat(html)).mode & 0o044).toBe(0o044 & ~process.umask())
  expect((await stat(snapshot)).mode & 0o777).toBe(0o600)
})

test('a thousand events fit into two megabytes, and the page lists what it leaves out', async () => {
  await using sandbox = await createSandbox()
  const text = 'x'.repeat(1_000)
  for (let i = 0; i < 334; i++)
    await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text } })
  await sandbox.clock.advance('24h')
  const { page, evidence } = await saved(sandbox)
  expect(evidence.items.filter(({ kind }) => kind === 'event')).toHaveLength(1_002)
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
  const bare = evidence.items.filter(({ kind, bodies }) => kind !== 'step' && kind !== 'money' && bodies.length === 0)
  expect(evidence.without_bodies).toBeGreaterThan(0)
  expect(bare.length).toBeGreaterThanOrEqual(evidence.without_bodies)
})

test('the world that was kept goes on in another sandbox', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const { snapshot } = await saved(sandbox)
  expect((await sandbox.client.snapshots.list()).snapshots).toEqual([])
  await using other = await createSandbox()
  await other.client.snapshots.import('failed', await readFile(snapshot))
  await other.restore('failed')
  await other.clock.advance('1h')
  expect(await other.client.messages.get(message_id)).toMatchObject({ status: 'read' })
})

test('outside of a test, calls without a valid key are of the world', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.billing.balance()
  await fetch(`${sandbox.url}/v1/billing/balance`)
  const {
    lines: [line],
  } = await sandbox.client.evidence.show()
  expect(line).toMatch(
    /^Calls without a valid API key \(the key of this world is sk_sandbox_default\): GET \/v1\/billing/,
  )
})
