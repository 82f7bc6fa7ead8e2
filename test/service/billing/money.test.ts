import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/index.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

/** 1/10,000 EUR, so that sums are exact. */
const units = (euros: number) => Math.round(euros * 10_000)
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

const OPENING = 2
const MAX_BALANCE = 8

const phone = fc.constantFrom(
  phones.readsAll,
  phones.neverReads,
  phones.unknownUser,
  phones.off,
  phones.after1Hour,
  phones.blocked,
)
const rcs = fc.record({
  to: phone,
  message_type: fc.constantFrom('MESSAGE', 'MESSAGE', 'NEWSLETTER', 'CONVERSATION'),
  content: fc.constantFrom('Hi', 'x'.repeat(161)).map((text) => ({ text })),
  ttl: fc.constantFrom(undefined, '1s', '2h'),
})
const mail = fc
  .constantFrom(emails.delivered, emails.bounced, emails.opened)
  .map((to) => ({ channel_id: channels.email, to, subject: 'Hi', content: { text: 'Hi' } }))

// Thresholds lie where the balance moves, so that it crosses them often.
const threshold = fc.integer({ min: 1, max: 200 }).map((cents) => cents / 100)

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      body: fc.oneof(
        rcs.map((part) => ({ ...rcsText, ...part })),
        mail,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('revoke' as const), which: fc.nat(30) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      by: fc.constantFrom('1s', '2m', '2h', '12d', '31d'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reply' as const), phone }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('topup' as const),
      amount: fc.constantFrom(0.5, 1, 1.23, 3, 7),
      key: fc.constantFrom('a', 'a', undefined),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('reload' as const),
      enabled: fc.constantFrom(true, true, false),
      threshold,
      amount: fc.constantFrom(1, 2, 7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('alert' as const), enabled: fc.boolean(), threshold }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The settings, and the effects that they must have when the balance falls. */
interface Settings {
  alert: number | undefined
  reload: { threshold: number; amount: number } | undefined
}

async function take({ client, clock }: Sandbox, settings: Settings, step: Step): Promise<unknown> {
  switch (step.does) {
    case 'send':
      return client.messages.send(step.body as never)
    case 'revoke':
      return client.messages.revoke(
        (await client.messages.list({ limit: 200, direction: 'OUTBOUND' })).messages[step.which]?.id ?? 'none',
      )
    case 'advance':
      return clock.advance(step.by)
    case 'reply':
      return client.handsets.reply(step.phone, { agent_id: agents.multi, text: 'Hi' })
    case 'topup':
      return client.billing.topup({ amount: step.amount }, step.key === undefined ? {} : { idempotencyKey: step.key })
    case 'reload': {
      const { does: _, ...body } = step
      await client.billing.setAutoReload(body)
      settings.reload = step.enabled ? { threshold: units(step.threshold), amount: units(step.amount) } : undefined
      return undefined
    }
    case 'alert': {
      const { does: _, ...body } = step
      await client.billing.setAlerts(body)
      settings.alert = step.enabled ? units(step.threshold) : undefined
    }
  }
}

async function stateOf({ client }: Sandbox) {
  const { data, has_more } = await client.billing.transactions({ limit: 200 })
  expect(has_more).toBe(false)
  const { free_after, reserved_after } = data[0]!
  const events = (await client.events.list({ subject: 'billing', limit: 200 })).events
  return {
    free: units(free_after),
    reserved: units(reserved_after),
    total: units(free_after) + units(reserved_after),
    ledger: data.toReversed(),
    events: events.map(({ event }) => event),
  }
}
type State = Awaited<ReturnType<typeof stateOf>>

const amountsOf = (ledger: State['ledger'], type: string, month?: string) =>
  sum(
    ledger
      .filter((entry) => entry.type === type && (!month || entry.created_at.startsWith(month)))
      .map(({ amount }) => units(amount)),
  )

/** Invariants that hold after every operation. */
async function audit({ client }: Sandbox, { free, reserved, total, ledger, events }: State) {
  expect(await client.billing.balance()).toEqual({
    free: free / 10_000,
    reserved: reserved / 10_000,
    total: total / 10_000,
  })
  expect(Math.min(free, reserved)).toBeGreaterThanOrEqual(0)
  const of = (type: string) => amountsOf(ledger, type)
  expect(total).toBe(of('opening') + of('topup') - of('charge'))
  expect(reserved).toBe(of('hold') - of('charge') - of('release'))
  expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length)

  // Usage is the ledger of a month, and an invoice what of it was charged once the month is over.
  const now = (await client.clock.show()).now.slice(0, 7)
  const months = [...new Set([...ledger.map(({ created_at }) => created_at.slice(0, 7)), now])]
  for (const month of months) {
    const usage = await client.billing.usage({ month })
    expect({
      month,
      held: units(usage.total.held_amount),
      charged: units(usage.total.charged_amount),
      released: units(usage.total.released_amount),
    }).toEqual({
      month,
      held: amountsOf(ledger, 'hold', month),
      charged: amountsOf(ledger, 'charge', month),
      released: amountsOf(ledger, 'release', month),
    })
    for (const name of ['messages', 'held_amount', 'charged_amount', 'released_amount'] as const)
      expect(sum(usage.usage.map((line) => units(line[name])))).toBe(units(usage.total[name]))
  }
  const invoices = (await client.billing.invoices({ limit: 200 })).data
  const charged = months.filter((month) => month < now && amountsOf(ledger, 'charge', month) > 0)
  expect(invoices.map(({ month }) => month).sort()).toEqual(charged.sort())
  for (const { month, net_amount, vat_amount, total_amount, lines } of invoices) {
    expect(units(net_amount)).toBe(amountsOf(ledger, 'charge', month))
    expect(sum(lines.map(({ amount }) => units(amount)))).toBe(units(net_amount))
    for (const { unit_price, quantity, amount } of lines) expect(units(unit_price) * quantity).toBe(units(amount))
    expect(units(net_amount) + units(vat_amount)).toBe(units(total_amount))
    expect(Math.abs(units(vat_amount) - units(net_amount) * 0.19)).toBeLessThanOrEqual(0.5)
  }
  return {
    topups: ledger.filter(({ type }) => type === 'topup').length,
    reloads: events.filter((name) => name === 'billing.auto_reload_success').length,
  }
}

/** Automatic changes of the balance in a step, computed from the earlier settings. */
function expectFall(before: State, after: State, { alert, reload }: Settings) {
  const held = after.ledger.slice(before.ledger.length).find(({ type }) => type === 'hold')
  const to = held ? units(held.free_after) : before.free
  const falls = (below: number | undefined) => below !== undefined && before.free >= below && to < below
  const expected: string[] = falls(alert) ? ['billing.balance_low'] : []
  if (falls(reload?.threshold)) {
    const fits = before.total + reload!.amount <= units(MAX_BALANCE)
    expected.push(fits ? 'billing.auto_reload_success' : 'billing.auto_reload_failed')
    expect(after.free).toBe(fits ? to + reload!.amount : to)
  }
  expect(after.events.slice(before.events.length)).toEqual(expected)
  return expected
}

test('top-ups, reloads, alerts and turns of the month: every cent is where the ledger says', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing = {
      balance: OPENING,
      topup: { min: 1, max_balance: MAX_BALANCE },
      // Dear, so that a few sends use the balance up.
      prices: {
        rcs: { basic_message: 0.3505, single_message: 0.77, conversation: 0.9, mau: 1.1 },
        email: { basic_message: 0.0333 },
      },
      tiers: [
        { name: 'tier_1', from: 0 },
        { name: 'tier_2', from: 5, discount_percent: 10 },
      ],
    }
  })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45, size: 'max' }), async (steps) => {
      await using sandbox = await createSandbox({ world })
      const settings: Settings = { alert: undefined, reload: undefined }
      let before = await stateOf(sandbox)
      for (const step of steps) {
        const set = { ...settings }
        const refusal = await take(sandbox, settings, step).then(
          () => undefined,
          (error) => error as unknown,
        )
        if (refusal !== undefined && !(refusal instanceof Refusal)) throw refusal
        const after = await stateOf(sandbox)
        if (refusal) {
          seen.add(refusal.code)
          expect(after).toEqual(before)
        }
        if (step.does === 'send') for (const event of expectFall(before, after, set)) seen.add(event)
        if (step.does === 'advance' || step.does === 'revoke' || step.does === 'topup')
          expect(after.events).toEqual(before.events)
        before = after
      }
      await audit(sandbox, before)
      await sandbox.clock.advance('62d')
      const end = await stateOf(sandbox)
      expect(end.reserved).toBe(0)
      const { topups, reloads } = await audit(sandbox, end)
      expect(topups).toBeGreaterThanOrEqual(reloads)
    }),
    { numRuns: 20, seed: 20260102, endOnFailure: true },
  )
  // The histories covered the important states.
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'insufficient_balance',
      'limit_exceeded',
      'idempotency_key_reused',
      'billing.balance_low',
      'billing.auto_reload_success',
      'billing.auto_reload_failed',
    ]),
  )
})
