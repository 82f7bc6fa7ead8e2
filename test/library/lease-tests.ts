import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, Sandbox } from '../../src/index.ts'
import type { Heard, Order } from './lease-shop.ts'

/** The environment of a test: the sandbox, the shop and a text of its own. */
export interface Environment {
  sandbox: Sandbox
  /** URL of the shop. */
  shop: string
  tag: string
}

/** The tests of the shop's suite. Each leases its address, and fails where it meets anything of another one. */
const tests: readonly ((environment: Environment) => Promise<void>)[] = [
  async function isDelivered({ sandbox, shop, tag }) {
    await using phone = await sandbox.lease.phone({ consent: true })
    const id = await ordered(shop, { to: phone.address, text: tag })
    await phone.waitFor('message.delivered', { message_id: id })
    await sawItsOwn(phone, shop, tag, [[id, 'message.delivered']])
  },
  async function failsByARule({ sandbox, shop, tag }) {
    await using phone = await sandbox.lease.phone({ consent: true })
    await phone.rules.add({ behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' } })
    const id = await ordered(shop, { to: phone.address, text: tag })
    const { data } = await phone.waitFor('message.failed')
    assert.equal(data.failure_reason, 'REJECTED_SPAM')
    await sawItsOwn(phone, shop, tag, [[id, 'message.failed']])
  },
  async function isAnswered({ sandbox, shop, tag }) {
    await using phone = await sandbox.lease.phone({ consent: true, handset: { replies: tag } })
    const id = await ordered(shop, { to: phone.address, text: tag })
    const { data } = await phone.waitFor('conversation.started')
    assert.equal(data.user_message.text, tag)
    await sawItsOwn(phone, shop, tag, [
      [id, 'message.delivered'],
      [phone.address, 'conversation.started'],
    ])
  },
  async function isRefusedOnce({ sandbox, shop, tag }) {
    await using phone = await sandbox.lease.phone({ consent: true })
    await phone.faults.add({ routes: ['messages.send'], status: 503, times: 1 })
    assert.equal((await place(shop, { to: phone.address, text: tag })).status, 503)
    const id = await ordered(shop, { to: phone.address, text: tag })
    await phone.waitFor('message.delivered')
    await sawItsOwn(phone, shop, tag, [[id, 'message.delivered']])
  },
  async function isOpened({ sandbox, shop, tag }) {
    await using email = await sandbox.lease.email({ mailbox: { opens: true } })
    const id = await ordered(shop, { to: email.address, text: tag })
    await email.waitFor('email.opened')
    await sawItsOwn(email, shop, tag, [[id, 'email.opened']])
  },
]

/** Runs the n-th test. */
export const runTest = (n: number, environment: Environment): Promise<void> => tests[n % tests.length]!(environment)

async function place(shop: string, order: Order) {
  const answer = await fetch(`${shop}/orders`, { method: 'POST', body: JSON.stringify(order) })
  return { status: answer.status, body: (await answer.json()) as { message_id?: string } }
}

async function ordered(shop: string, order: Order): Promise<string> {
  const { status, body } = await place(shop, order)
  assert.equal(status, 201, `the order of ${order.text} got ${status} ${JSON.stringify(body)}`)
  return body.message_id!
}

/** Checks that messages, events and webhooks of a lease belong to it, each named by the lease. */
async function sawItsOwn(lease: Lease, shop: string, tag: string, heard: readonly (readonly [string, string])[]) {
  const messages = await lease.messages()
  assert.ok(messages.length > 0 && messages.length <= 2, `${messages.length} messages`)
  for (const { content } of messages) assert.equal(content.text, tag)
  const ids = new Set(messages.map(({ id }) => id))
  for await (const { event, data } of lease.events) {
    const fields = data as { to?: string; from?: string; email?: string; message_id?: string }
    assert.equal(fields.to ?? fields.from ?? fields.email, lease.address, `${event} of another one`)
    assert.ok(fields.message_id === undefined || ids.has(fields.message_id), `${event} of a message of another one`)
  }
  for (const [about, event] of heard) {
    const all = await heardOf(shop, about, event)
    for (const one of all) assert.equal(one.lease, lease.id, `${one.event} named ${one.lease}`)
  }
}

/** The webhook may come a moment after the event. */
async function heardOf(shop: string, about: string, event: string): Promise<Heard[]> {
  for (let look = 0; look < 1_000; look++) {
    const all = (await (await fetch(`${shop}/orders/${about}`)).json()) as Heard[]
    if (all.some((one) => one.event === event)) return all
    await sleep(5)
  }
  throw new Error(`the shop has not heard ${event} of ${about}`)
}
