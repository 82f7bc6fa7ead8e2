import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

/** Thresholds that a test reaches, and prices whose discounts end in a half. */
const world = (
  tiers: object[] = [
    { name: 'tier_1', from: 0 },
    { name: 'tier_2', from: 3, discount_percent: 10 },
    { name: 'tier_3', from: 5, discount_percent: 20 },
  ],
) =>
  worldLikeDefault((file) => {
    file.billing = {
      balance: 1000,
      tiers,
      prices: { rcs: { basic_message: 0.0505, single_message: 0.0333 }, email: { basic_message: 0.0005 } },
    }
  })

test('a send counts itself, so its tier is the one that GET tier shows: it rises at once with the volume of the month, and the price falls by 10 and 20 percent, rounded half up', async () => {
  await using sandbox = await createSandbox({ world: await world() })
  const { client } = sandbox
  const seen = []
  for (let i = 0; i < 7; i++) {
    const { hold_amount, tier } = (await client.messages.send({ ...rcsText, to: phones.off })).billing
    seen.push([tier.volume_used, tier.current, hold_amount])
    expect((await client.billing.tier()).tiers[0]).toMatchObject(tier)
  }
  // 0.0505 less 10 % is 0.04545, which rounds up; less 20 % it is 0.0404.
  expect(seen).toEqual([
    [1, 'tier_1', 0.0505],
    [2, 'tier_1', 0.0505],
    [3, 'tier_2', 0.0455],
    [4, 'tier_2', 0.0455],
    [5, 'tier_3', 0.0404],
    [6, 'tier_3', 0.0404],
    [7, 'tier_3', 0.0404],
  ])
  // 0.0333 less 20 % is 0.02664.
  expect(
    (await client.messages.send({ ...rcsText, content: { text: 'x'.repeat(161) }, to: phones.off })).billing
      .hold_amount,
  ).toBe(0.0266)
})

test('each channel has a tier of its own', async () => {
  await using sandbox = await createSandbox({ world: await world() })
  const { client } = sandbox
  for (let i = 0; i < 4; i++) await client.messages.send({ ...rcsText, to: phones.off })
  const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }
  expect((await client.messages.send(email)).billing).toMatchObject({
    hold_amount: 0.0005,
    tier: { channel: 'EMAIL', current: 'tier_1', volume_used: 1 },
  })
  await client.messages.send(email)
  expect((await client.messages.send(email)).billing).toMatchObject({
    hold_amount: 0.0005,
    tier: { current: 'tier_2' },
  })
  await client.messages.send(email)
  expect((await client.messages.send(email)).billing).toMatchObject({
    hold_amount: 0.0004,
    tier: { current: 'tier_3' },
  })
  expect(await client.billing.tier()).toEqual({
    month: '2026-01',
    tiers: [
      { channel: 'RCS', current: 'tier_2', volume_used: 4, discount_percent: 10, next_tier: 'tier_3', next_tier_at: 5 },
      {
        channel: 'EMAIL',
        current: 'tier_3',
        volume_used: 5,
        discount_percent: 20,
        next_tier: null,
        next_tier_at: null,
      },
    ],
  })
})

test('the volume restarts with each month; messages held at the old price are charged at it', async () => {
  await using sandbox = await createSandbox({ world: await world(), now: '2026-01-31T23:59:59.000Z' })
  const { client, clock } = sandbox
  for (let i = 0; i < 3; i++) await client.messages.send({ ...rcsText, to: phones.after1Hour })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  expect((await client.billing.tier()).tiers[0]).toMatchObject({ current: 'tier_2', volume_used: 4 })
  await clock.advance('1s')
  expect(await client.billing.tier()).toMatchObject({
    month: '2026-02',
    tiers: [{ current: 'tier_1', volume_used: 0, next_tier_at: 3 }, {}],
  })
  expect((await client.messages.send({ ...rcsText, to: phones.off })).billing).toMatchObject({
    hold_amount: 0.0505,
    tier: { current: 'tier_1', volume_used: 1 },
  })
  await clock.advance('2h')
  expect(await client.messages.get(message_id)).toMatchObject({ cost: '0.0455' })
})

test('a refused send does not count, a revoked one does', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await expect(client.messages.send({ ...rcsText, to: phones.noContact })).rejects.toMatchObject({
    code: 'missing_consent',
  })
  expect((await client.billing.tier()).tiers[0]).toMatchObject({ volume_used: 0 })
  await client.messages.revoke((await client.messages.send({ ...rcsText, to: phones.off })).message_id)
  expect((await client.billing.tier()).tiers[0]).toMatchObject({ volume_used: 1 })
})

test('the default thresholds are 25,000 and 100,000, with 10 and 20 percent', async () => {
  const { BillingTerms } = await import('../../../src/service/billing/world-file.contract.ts')
  const { priceOf, tierAt } = await import('../../../src/service/billing/rules.ts')
  const terms = BillingTerms.parse({})
  const cases: readonly [
    volume: number,
    tier: string,
    basic: number,
    single: number,
    conversation: number,
    mau: number,
    email: number,
  ][] = [
    [0, 'tier_1', 500, 800, 1200, 2000, 50],
    [24_999, 'tier_1', 500, 800, 1200, 2000, 50],
    [25_000, 'tier_2', 450, 720, 1080, 1800, 45],
    [99_999, 'tier_2', 450, 720, 1080, 1800, 45],
    [100_000, 'tier_3', 400, 640, 960, 1600, 40],
    [10_000_000, 'tier_3', 400, 640, 960, 1600, 40],
  ]
  for (const [volume, name, ...prices] of cases) {
    const tier = tierAt(terms.tiers, volume)
    const rcs = (['basic_message', 'single_message', 'conversation', 'mau'] as const).map((kind) =>
      priceOf(terms, 'RCS', kind, tier),
    )
    expect({ volume, name: tier.name, prices: [...rcs, priceOf(terms, 'EMAIL', 'basic_message', tier)] }).toEqual({
      volume,
      name,
      prices,
    })
  }
})

test('a world file with tiers that do not start at 0 or do not rise is refused', async () => {
  for (const tiers of [
    [{ name: 'tier_1', from: 1 }],
    [
      { name: 'tier_1', from: 0 },
      { name: 'tier_2', from: 0 },
    ],
    [],
  ])
    await expect(createSandbox({ world: await world(tiers) })).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('billing.tiers'),
    })
})
