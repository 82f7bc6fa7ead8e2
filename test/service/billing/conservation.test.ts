import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/index.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const rcs = (to: string, text: string, message_type = 'MESSAGE', ttl?: string) => ({
  ...rcsText,
  to,
  message_type,
  content: { text },
  ttl,
})
const mail = (to: string) => ({ channel_id: channels.email, to, subject: 'Hi', content: { text: 'Hi' } })

const phone = fc.constantFrom(
  phones.readsAll,
  phones.neverReads,
  phones.unknownUser,
  phones.rejectedAsSpam,
  phones.off,
  phones.after30Seconds,
  phones.after1Hour,
  phones.repliesHello,
  phones.blocked,
  phones.notCapable,
)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      body: fc.oneof(
        fc
          .tuple(
            phone,
            fc.constantFrom('Hi', 'x'.repeat(161)),
            fc.constantFrom('MESSAGE', 'NEWSLETTER', 'CONVERSATION'),
            fc.constantFrom(undefined, '1s', '60s'),
          )
          .map((parts) => rcs(...parts)),
        fc.constantFrom(emails.delivered, emails.bounced, emails.opened, 'stranger@example.com').map(mail),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('revoke' as const), which: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      by: fc.constantFrom('0s', '150ms', '1s', '10s', '2m', '2h', '25h', '31d'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reply' as const), phone }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** 1/10,000 EUR, so that sums are exact. */
const units = (euros: number) => Math.round(euros * 10_000)
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

const OPENING = units(0.75)

async function take({ client, clock }: Sandbox, held: Map<string, number>, step: Step) {
  if (step.does === 'advance') return clock.advance(step.by)
  if (step.does === 'reply') return client.handsets.reply(step.phone, { agent_id: agents.multi, text: 'Hi' })
  if (step.does === 'revoke') return client.messages.revoke([...held.keys()][step.which] ?? 'none')
  const { message_id, billing } = await client.messages.send(step.body as never)
  return held.set(message_id, units(billing.hold_amount))
}

/** Invariants that hold after every operation. */
async function audit({ client }: Sandbox, held: Map<string, number>) {
  const { free, reserved, total } = await client.billing.balance()
  const [money, ledger, messages] = [
    { free: units(free), reserved: units(reserved), total: units(total) },
    (await client.billing.transactions({ limit: 200 })).data.toReversed(),
    (await client.messages.list({ limit: 200, direction: 'OUTBOUND' })).messages,
  ]
  expect(money.free + money.reserved).toBe(money.total)
  expect(Math.min(money.free, money.reserved)).toBeGreaterThanOrEqual(0)

  // The sum of the ledger equals the balance at each line.
  const now = { free: 0, reserved: 0 }
  for (const { type, amount, free_after, reserved_after } of ledger) {
    if (type === 'opening') now.free += units(amount)
    if (type === 'hold' || type === 'release') now.free += type === 'hold' ? -units(amount) : units(amount)
    if (type !== 'opening') now.reserved += type === 'hold' ? units(amount) : -units(amount)
    expect(now).toEqual({ free: units(free_after), reserved: units(reserved_after) })
  }
  expect(now).toEqual({ free: money.free, reserved: money.reserved })

  // The reserved balance equals the holds of messages in progress; the charges equal the prices of delivered ones.
  expect(messages.map(({ id }) => id).sort()).toEqual([...held.keys()].sort())
  const onTheWay = messages.filter(({ status }) => status === 'queued' || status === 'dispatched')
  expect(sum(onTheWay.map(({ id }) => held.get(id)!))).toBe(money.reserved)
  expect(onTheWay.every(({ cost }) => cost === null)).toBe(true)
  const settled = messages.filter((message) => !onTheWay.includes(message))
  expect(sum(settled.map(({ cost }) => units(Number(cost))))).toBe(OPENING - money.total)
  for (const { id, cost, delivered_at } of settled)
    expect(units(Number(cost))).toBe(delivered_at === null ? 0 : held.get(id))

  // Each message moves money at most twice: held, then charged or released.
  for (const [id, hold] of held) {
    const moves = ledger
      .filter(({ message_id }) => message_id === id)
      .map(({ type, amount }) => `${type} ${units(amount)}`)
    if (hold === 0) expect(moves).toEqual([])
    else
      expect([
        [`hold ${hold}`],
        [`hold ${hold}`, `charge ${hold}`],
        [`hold ${hold}`, `release ${hold}`],
      ]).toContainEqual(moves)
  }
  return money
}

test('money is neither created nor lost by any sends, revocations, replies and waits', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing.balance = OPENING / 10_000
  })
  const codes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
      await using sandbox = await createSandbox({ world })
      const held = new Map<string, number>()
      let before = await audit(sandbox, held)
      for (const step of steps) {
        const refusal = await take(sandbox, held, step).then(
          () => undefined,
          (error) => error as Refusal,
        )
        if (refusal && !(refusal instanceof Refusal)) throw refusal
        const after = await audit(sandbox, held)
        expect(after.total).toBeLessThanOrEqual(before.total)
        if (refusal) {
          codes.add(refusal.code)
          expect(refusal.status).toBeLessThan(500)
          expect(after).toEqual(before)
        }
        if (refusal?.code === 'insufficient_balance') {
          const { required_amount, balance, topup_url } = refusal.body as {
            required_amount: number
            balance: Record<string, number>
            topup_url: string
          }
          expect(units(required_amount)).toBeGreaterThan(before.free)
          expect(units(balance.free!)).toBe(before.free)
          expect(topup_url).toMatch(/^https:/)
        }
        before = after
      }
      await sandbox.clock.advance('31d')
      expect((await audit(sandbox, held)).reserved).toBe(0)
    }),
    { numRuns: 10, seed: 20260101, endOnFailure: true },
  )
  // The histories include an insufficient balance and released holds.
  expect([...codes]).toEqual(
    expect.arrayContaining([
      'insufficient_balance',
      'message_not_revocable',
      'recipient_suppressed',
      'device_not_rcs_capable',
    ]),
  )
})
