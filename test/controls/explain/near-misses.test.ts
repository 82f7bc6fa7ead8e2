import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { reasonAt } from './explained.ts'

async function settled({ client, clock }: Sandbox, to: string) {
  const { message_id } = await client.messages.send({ ...rcsText, to })
  await clock.advance('1h')
  return message_id
}

const failing = { outcome: 'failed', failure_reason: 'REJECTED_SPAM' } as const

test('near misses name the rule and why it did not decide', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const usedUp = await client.rules.add({ behaviour: { delivery_delay: '1s' }, times: 1, name: 'once' })
  await settled(sandbox, phone(60))
  const unlucky = await client.rules.add({ behaviour: { read: false }, share: 0.000001 })
  const other = await client.rules.add({ match: { traffic_type: 'PROMOTION' }, behaviour: failing })
  await client.rules.add({
    match: { traffic_type: 'PROMOTION', to: phone(99) },
    behaviour: { read: true },
    position: 1,
  })
  const waiting = await client.rules.add({ behaviour: { read: true }, every: 2 })
  const decider = await client.rules.add({ match: { to: '+49*' }, behaviour: failing })
  const behind = await client.rules.add({ match: { text_contains: 'order' }, behaviour: { outcome: 'delivered' } })
  const explained = await client.messages.explain(await settled(sandbox, phone(50)))
  expect(reasonAt(explained, 'failed', 'rule')).toContain(decider.id)
  expect(explained.near_misses).toMatchObject([
    { rule_id: usedUp.id, name: 'once', why: 'used_up', says: 'matched, but was used up: applied once before' },
    {
      rule_id: unlucky.id,
      why: 'lost_draw',
      says: expect.stringMatching(/^matched, but lost its draw 0\.\d{4}: it applies below 0\.000001$/),
    },
    {
      rule_id: waiting.id,
      why: 'not_its_turn',
      says: 'matched, but it was not its turn: it applies to 1 in 2, and this was match 1',
    },
    { rule_id: behind.id, why: 'behind', says: `matched, but ${decider.id} comes first` },
    { rule_id: other.id, why: 'differs', criterion: 'traffic_type', wanted: 'PROMOTION', was: 'TRANSACTION' },
  ])
})

test('a rule without effect because of a magic recipient is listed as overruled', async () => {
  await using sandbox = await createSandbox()
  const rule = await sandbox.client.rules.add({ behaviour: failing })
  const explained = await sandbox.client.messages.explain(await settled(sandbox, phones.readsAll))
  expect(explained.status).toBe('read')
  expect(explained.near_misses).toMatchObject([{ rule_id: rule.id, why: 'overruled' }])
})

test('a rule that a stronger source would overrule is no near miss', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const slow = await client.rules.add({ match: { traffic_type: 'PROMOTION' }, behaviour: { delivery_delay: '1h' } })
  await client.rules.add({ match: { traffic_type: 'SERVICEREQUEST' }, behaviour: failing })
  await client.rules.add({ behaviour: failing, share: 0.000001 })
  const misses = async (to: string) => (await client.messages.explain(await settled(sandbox, to))).near_misses
  expect((await misses(phone(50))).length).toBe(3)
  // The magic recipient decides the outcome, and leaves the delay open.
  expect(await misses(phones.readsAll)).toMatchObject([{ rule_id: slow.id, why: 'differs' }])
  expect(await misses(phones.unknownUser)).toEqual([])
})

test('at most five are listed, full matches first', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (let i = 0; i < 7; i++) await client.rules.add({ match: { to: phone(60 + i) }, behaviour: failing })
  const unlucky = await client.rules.add({ behaviour: { read: false }, share: 0.000001 })
  const { near_misses } = await client.messages.explain(await settled(sandbox, phone(50)))
  expect(near_misses.map(({ why }) => why)).toEqual(['lost_draw', 'differs', 'differs', 'differs', 'differs'])
  expect(near_misses[0]!.rule_id).toBe(unlucky.id)
})

test('an explanation does not change when rules, carriers and handsets change later', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const rule = await client.rules.add({ name: 'slow', behaviour: { delivery_delay: '5s..10s' } })
  await client.rules.add({ match: { traffic_type: 'PROMOTION' }, behaviour: failing, position: 1 })
  await client.handsets.set(phone(50), { replies: 'Yes', carrier: 'nordfunk' })
  const id = await settled(sandbox, phone(50))
  const before = await client.messages.explain(id)
  expect(reasonAt(before, 'delivered', 'delay')).toContain(`set by ${rule.id} (slow)`)
  expect(reasonAt(before, 'answered', 'handset')).toBe('replies Yes, as set')
  await client.rules.clear()
  await client.carriers.update('nordfunk', { preset: 'down' })
  await client.handsets.set(phone(50), { replies: null, read: false })
  expect(await client.messages.explain(id)).toEqual(before)
})

test('the same run gives the same explanations, byte for byte', async () => {
  const run = async () => {
    await using sandbox = await createSandbox({ seed: 'again' })
    await sandbox.client.rules.add({ behaviour: failing, share: '30%' })
    const ids = []
    for (let nn = 50; nn < 60; nn++) ids.push(await settled(sandbox, phone(nn)))
    return JSON.stringify(await Promise.all(ids.map((id) => sandbox.client.messages.explain(id))))
  }
  expect(await run()).toBe(await run())
})

test('sandbox explain tells it to people, and to programs as JSON', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const match = { traffic_type: 'PROMOTION' } as const
  const rule = await client.rules.add({ name: 'promo', match, behaviour: { delivery_delay: '1h' } })
  const id = await settled(sandbox, phones.readsAll)
  const env = { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: sandbox.apiKey }
  const { stdout, code } = await sandboxCommand(['explain', id], { tty: true, env })
  expect(code).toBe(0)
  expect(stdout).toContain(`${id}  RCS to ${phones.readsAll}  read`)
  expect(stdout).toMatch(/magic recipient {2}outcome delivered/)
  expect(stdout).toContain(`${rule.id} promo  traffic_type is TRANSACTION, not PROMOTION`)
  expect((await sandboxCommand(['explain', id], { env })).json).toEqual(await client.messages.explain(id))
  expect((await sandboxCommand(['messages', 'explain', id], { env })).json).toEqual(await client.messages.explain(id))
  const unknown = await sandboxCommand(['explain', `${id.slice(0, -1)}x`], { env })
  expect(unknown.code).toBe(5)
})
