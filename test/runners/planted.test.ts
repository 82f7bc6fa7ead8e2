import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Evidence } from '../../src/controls/evidence/item.ts'
import type { Sandbox } from '../../src/index.ts'
import { assertDelivered, assertReceived } from '../../src/runners/node-test.ts'
import { bodies } from '../../src/runners/with-sandbox.ts'
import { folder } from '../folder.ts'
import { type Bug, startShop } from './planted-shop.ts'

const PHONE = '+491713920050'
const DEFAULT_WORLD = new URL('../../fixtures/worlds/default.yaml', import.meta.url)
const SECRET = 'whsec_of-the-planted-shop-0123456789'

type Shop = Awaited<ReturnType<typeof startShop>>
type Story = (shop: Shop, sandbox: Sandbox, receiver: Parameters<typeof assertReceived>[0]) => Promise<void>

/** The tests of such a shop, as its authors would write them. */
const STORIES = {
  async notified(shop, sandbox) {
    const order = await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    assert.equal(order.status, 'notified')
  },
  async delivered(shop, sandbox) {
    const { messageId } = await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    await assertDelivered(messageId)
  },
  async heard(shop, sandbox, receiver) {
    await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    await assertReceived(receiver, 'message.delivered')
  },
  async oddSpelling(shop, sandbox) {
    await sandbox.faults.add({ events: ['message.delivered'], odd_spelling: true })
    await STORIES.notified(shop, sandbox)
  },
  async sentOnce(shop, sandbox) {
    await sandbox.faults.add({ routes: ['messages.send'], reset: 'after', times: 1 })
    await shop.place(PHONE)
    const { messages } = await sandbox.client.messages.list()
    assert.equal(messages.length, 1, `${messages.length} messages were sent for one order`)
  },
  async notifiedOnce(shop, sandbox) {
    await sandbox.faults.add({ events: ['message.delivered'], duplicate: true })
    const order = await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    assert.equal(order.notified, 1)
  },
  async outlivesOutage(shop, sandbox) {
    await sandbox.faults.add({ routes: ['messages.send'], status: 503, times: 2 })
    const { messageId } = await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    await assertDelivered(messageId)
  },
  async stops(shop, sandbox) {
    const order = await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    await sandbox.handset(PHONE).reply('Stop')
    await sandbox.settle()
    assert.equal(order.status, 'stopped', `the order is ${order.status} after the user has replied "Stop"`)
  },
  async answers(shop, sandbox) {
    await shop.place(PHONE)
    await sandbox.clock.advance('5m')
    await sandbox.handset(PHONE).reply('Thanks')
    await sandbox.clock.advance('5m')
    assert.equal((await sandbox.handset(PHONE).inbox()).length, 2)
  },
  async bounces(shop, sandbox) {
    await sandbox.mailbox('ada@example.com').set({ bounces: 'hard' })
    const order = await shop.place('ada@example.com')
    await sandbox.clock.advance('5m')
    assert.equal(order.status, 'unreachable', `the order is ${order.status} after email.bounced`)
  },
} satisfies Record<string, Story>

interface Row {
  bug: Bug
  story: Story
  /** Words of the message that name the cause; null if the message alone does not. */
  message: readonly (string | RegExp)[] | null
  /** Words of the page that name the cause. */
  page: readonly (string | RegExp)[]
}

const NO_AGENT = [/POST \/v1\/messages → 404 not_found: There is no agent ag_live_\S+9/]
const NO_BEARER = [
  /without a valid API key.*\(the key of this test is sk_sandbox_\S+, in JavaScript sandbox\.apiKey\): POST \/v1\/messages → 401: The scheme is missing. Send "Authorization: Bearer sk_sandbox_<namespace>"/,
]
const MISSPELLED = ['POST /v1/messages → 400 validation_error: trafic_type: unknown field, did you mean "traffic_type"']
const UNSIGNED = [/message\.\w+ → 401 from http:\S+\/hook, answer: "bad signature: check the exact body bytes/]
const OTHER_BYTES = ['sends the same JSON in other bytes']
const LOST = [/POST \/v1\/messages → 200, but the answer was lost \(fault: resets the connection after/]

const TABLE: readonly Row[] = [
  { bug: 'wrong agent', story: STORIES.delivered, message: NO_AGENT, page: NO_AGENT },
  { bug: 'key without Bearer', story: STORIES.heard, message: NO_BEARER, page: NO_BEARER },
  { bug: 'misspelled field', story: STORIES.heard, message: MISSPELLED, page: MISSPELLED },
  {
    bug: 'verifies JSON that was serialised again',
    story: STORIES.oddSpelling,
    message: [...UNSIGNED, ...OTHER_BYTES],
    page: [...UNSIGNED, ...OTHER_BYTES],
  },
  { bug: 'wrong secret', story: STORIES.notified, message: UNSIGNED, page: UNSIGNED },
  {
    bug: 'no idempotency key',
    story: STORIES.sentOnce,
    message: ['2 messages were sent for one order', ...LOST],
    page: LOST,
  },
  {
    bug: 'no deduplication',
    story: STORIES.notifiedOnce,
    message: [/message\.delivered → 204 from \S+\/hook \(fault: sends the event twice\)/],
    page: ['sends the event twice'],
  },
  {
    bug: 'STOP matched by case',
    story: STORIES.stops,
    message: ['the order is notified after the user has replied "Stop"'],
    page: ['Stop'],
  },
  {
    bug: 'wrong traffic type in the answer',
    story: STORIES.answers,
    message: [/POST \/v1\/messages → 400 validation_error: traffic_type/],
    page: [/POST \/v1\/messages → 400 validation_error: traffic_type/],
  },
  {
    bug: 'a bounce taken as notified',
    story: STORIES.bounces,
    message: ['the order is notified after email.bounced'],
    page: ['email.bounced'],
  },
  {
    bug: 'no retry on 503',
    story: STORIES.outlivesOutage,
    message: ['It got undefined: was the send refused?', /POST \/v1\/messages → 503 .*\(fault: answers 503/],
    page: [/POST \/v1\/messages → 503 .*\(fault: answers 503/],
  },
  {
    bug: 'ttl without a unit',
    story: STORIES.delivered,
    message: [
      /POST \/v1\/messages → 400 validation_error: ttl: must be whole seconds, at least 1, with the unit s, such as 3600s/,
    ],
    page: [/ttl: must be whole seconds, at least 1, with the unit s, such as 3600s/],
  },
  {
    bug: 'postback that is not base64',
    story: STORIES.heard,
    message: [/POST \/v1\/messages → 400 validation_error: content\.suggestions.*must be .*base64/],
    page: [/must be .*base64/],
  },
  {
    bug: 'slow handler',
    story: STORIES.notified,
    message: [/message\.\w+ → no answer \(.*no answer within 200 ms\) from http:\S+\/hook/],
    page: [/no answer within 200 ms/],
  },
]

const { withSandbox, stop } = bodies(([title]) => ({
  key: title,
  test: { title: String(title), file: `${process.cwd()}/shop.test.ts` },
}))
afterAll(stop)

/** Runs a story against a shop with a bug, as node:test would. Returns the message of the failure; undefined without one. */
async function failureOf({ bug, story }: Pick<Row, 'story'> & { bug: Bug | undefined }, name: string) {
  const place = await folder()
  // Not five seconds of real time for each attempt that nobody answers.
  const timeout = bug === 'slow handler' ? '200ms' : '5s'
  const world = join(place, 'world.yaml')
  await writeFile(world, `${await readFile(DEFAULT_WORLD, 'utf8')}\nwebhooks: { timeout: ${timeout} }\n`)
  const body = withSandbox({ failures: place, world }, async ({ sandbox, receiver }, _title: string) => {
    const shop = await startShop({ url: sandbox.url, apiKey: sandbox.apiKey, secret: SECRET, bug })
    try {
      await sandbox.webhooks.create({ url: shop.hook, events: ['*'], secret: SECRET })
      await story(shop, sandbox, receiver)
    } finally {
      shop.stop()
    }
  })
  return body(name).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

const misses = (text: string, words: readonly (string | RegExp)[]) =>
  words.filter((word) => (typeof word === 'string' ? !text.includes(word) : !word.test(text)))

async function pageIn(message: string): Promise<string> {
  const file = /What happened in this test: (\S+)/.exec(message)?.[1]
  const html = await readFile(file!, 'utf8')
  const data = /<script type="application\/json" id="shown">(.*?)<\/script>/.exec(html)![1]!
  const { error: _, trouble, items } = JSON.parse(data) as Evidence
  const facts = items.flatMap((item) => [item.title, ...[...item.facts, ...item.bodies].map(({ text }) => text)])
  return [...trouble, ...facts].join('\n')
}

test('each story holds for a shop without bugs', async () => {
  for (const [name, story] of Object.entries(STORIES)) {
    // Its first answer is lost on purpose, and repeated under the same key.
    expect([name, await failureOf({ bug: undefined, story }, `sound ${name}`)]).toEqual([name, undefined])
  }
})

test.each(TABLE)('the message of a failure suffices to find: $bug', async (row) => {
  const message = (await failureOf(row, row.bug))!
  expect(message).toBeDefined()
  if (row.message) expect(misses(message, row.message), message).toEqual([])
  expect(misses(await pageIn(message), row.page)).toEqual([])
  expect(message).not.toContain('Nothing has happened')
})

test('14 bugs are planted, and the message alone names the cause of at least 12', () => {
  expect(TABLE).toHaveLength(14)
  expect(new Set(TABLE.map(({ bug }) => bug)).size).toBe(14)
  expect(TABLE.filter(({ message }) => message !== null).length).toBeGreaterThanOrEqual(12)
})
