import { expect, test } from 'vitest'
import { phone, uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { failing, outcomes, refusalOf } from './rule.ts'

/** Three rules of which none makes another ineffective. */
async function three({ client }: Sandbox) {
  const ids: string[] = []
  for (const nn of [50, 51, 52])
    ids.push((await client.rules.add({ match: { to: phone(nn) }, behaviour: failing, name: `phone ${nn}` })).id)
  return ids as [string, string, string]
}

const order = async ({ client }: Sandbox) => (await client.rules.list()).rules.map(({ name }) => name?.slice(-2))

test('rules are checked in the order they were added, unless a position is given', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const [first, second] = await three(sandbox)
  expect(await order(sandbox)).toEqual(['50', '51', '52'])
  await client.rules.add({ match: { to: phone(53) }, behaviour: failing, name: 'phone 53', position: 1 })
  await client.rules.add({ match: { to: phone(54) }, behaviour: failing, name: 'phone 54', before: second })
  expect(await order(sandbox)).toEqual(['53', '50', '54', '51', '52'])
  await client.rules.update(first, { position: 5 })
  expect(await order(sandbox)).toEqual(['53', '54', '51', '52', '50'])
  expect(await refusalOf(client.rules.update(first, { position: 6 }))).toMatchObject({
    details: [{ field: 'position' }],
  })
  expect(await refusalOf(client.rules.update(first, { before: first }))).toMatchObject({
    details: [{ field: 'before' }],
  })
  expect(await refusalOf(client.rules.update(first, { before: `rule_${uuid(1)}` }))).toMatchObject({ status: 404 })
  expect(await order(sandbox)).toEqual(['53', '54', '51', '52', '50'])
})

test('a change leaves the rest of a rule as it was, and null takes a part away', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.rules.add({
    match: { to: phone(50), traffic_type: 'TRANSACTION' },
    behaviour: { ...failing },
    share: '50%',
  })
  await client.rules.update(id, { behaviour: { failure_reason: 'ACCOUNT_SUSPENDED' }, match: { traffic_type: null } })
  expect(await client.rules.update(id, { share: null, name: 'suspended' })).toMatchObject({
    name: 'suspended',
    match: { to: phone(50) },
    behaviour: { outcome: 'failed', failure_reason: 'ACCOUNT_SUSPENDED' },
    share: null,
  })
  const refusal = await refusalOf(client.rules.update(id, { behaviour: { failure_reason: null } }))
  expect(refusal).toMatchObject({ code: 'rule_never_matches', details: [{ field: 'behaviour.failure_reason' }] })
  expect((await client.rules.show(id)).behaviour).toEqual({ outcome: 'failed', failure_reason: 'ACCOUNT_SUSPENDED' })
  const [sent] = await outcomes(sandbox, { to: phone(50) })
  expect(sent!.failure_reason).toBe('ACCOUNT_SUSPENDED')
})

test('a new value of times restarts the count from now', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.rules.add({ behaviour: failing, times: 1 })
  await outcomes(sandbox, { to: phone(50) }, { to: phone(51) })
  expect(await sandbox.client.rules.show(id)).toMatchObject({ hits: 1, active: false })
  expect(await sandbox.client.rules.update(id, { times: 1 })).toMatchObject({ hits: 0, seen: 0, active: true })
  const [sent] = await outcomes(sandbox, { to: phone(52) })
  expect(sent!.status).toBe('failed')
})

test('a removed rule no longer decides, and the others move up', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const [, second] = await three(sandbox)
  expect(await client.rules.remove(second)).toMatchObject({ id: second, position: 2 })
  expect(await refusalOf(client.rules.remove(second))).toMatchObject({ status: 404, code: 'not_found' })
  expect((await client.rules.list()).rules.map(({ position }) => position)).toEqual([1, 2])
  const sent = await outcomes(sandbox, { to: phone(50) }, { to: phone(51) })
  expect(sent.map(({ status }) => status === 'failed')).toEqual([true, false])
  expect(await client.rules.clear()).toEqual({ removed: 2 })
  expect(await client.rules.clear()).toEqual({ removed: 0 })
})
