import { expect, test } from 'vitest'
import { campaign } from '../../../src/service/campaigns/states.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { type Definition, define, end, notice, ordinary, outage, wait, worldWith } from './campaign.ts'

const STATES = [
  'NONE',
  'DRAFT',
  'SCHEDULED',
  'RUNNING',
  'PAUSED',
  'PAUSED_ERROR',
  'PAUSED_BALANCE',
  'COMPLETED',
  'COMPLETED_PARTIAL',
] as const
const TRIGGERS = [
  'define',
  'schedule',
  'start',
  'pause',
  'break',
  'exhaust',
  'resume',
  'finish',
  'finish with losses',
] as const

const idle = { define: 'DRAFT', schedule: 'SCHEDULED', start: 'RUNNING' }
const paused = { resume: 'RUNNING' }

/** Interface §3.4; all other pairs are refused. */
const expected: Record<(typeof STATES)[number], Partial<Record<(typeof TRIGGERS)[number], string>>> = {
  NONE: { define: 'DRAFT', schedule: 'SCHEDULED' },
  DRAFT: idle,
  SCHEDULED: idle,
  RUNNING: {
    pause: 'PAUSED',
    break: 'PAUSED_ERROR',
    exhaust: 'PAUSED_BALANCE',
    finish: 'COMPLETED',
    'finish with losses': 'COMPLETED_PARTIAL',
  },
  PAUSED: paused,
  PAUSED_ERROR: paused,
  PAUSED_BALANCE: paused,
  COMPLETED: idle,
  COMPLETED_PARTIAL: idle,
}

test.each(STATES.flatMap((from) => TRIGGERS.map((on) => ({ from, on }))))('$on in $from', ({ from, on }) => {
  expect(campaign.next(from, on)?.to).toBe(expected[from][on])
})

test('the table has no other states and triggers', () => {
  expect([...campaign.states].sort()).toEqual([...STATES].sort())
  expect([...campaign.triggers].sort()).toEqual([...TRIGGERS].sort())
})

/** The calls that bring a campaign into each status. */
const reach: Record<Exclude<(typeof STATES)[number], 'NONE'>, (sandbox: Sandbox) => Promise<string>> = {
  DRAFT: (sandbox) => define(sandbox, [notice, end]),
  SCHEDULED: (sandbox) =>
    define(sandbox, [notice, end], { trigger: 'SCHEDULED', scheduled_at: '2026-06-01T00:00:00Z' }),
  RUNNING: (sandbox) => triggered(sandbox, {}),
  async PAUSED(sandbox) {
    const id = await triggered(sandbox, {})
    await sandbox.client.campaigns.pause(id)
    return id
  },
  async PAUSED_ERROR(sandbox) {
    await outage(sandbox, true)
    const id = await triggered(sandbox, { flow: [notice, wait('24h'), end], audience: ordinary(40) })
    await sandbox.clock.advance('10s')
    return id
  },
  async PAUSED_BALANCE(sandbox) {
    const id = await triggered(sandbox, { audience: ordinary(20) })
    // Other sends use up the balance that the estimate found.
    await drain(sandbox)
    await sandbox.clock.advance('1s')
    return id
  },
  async COMPLETED(sandbox) {
    const id = await triggered(sandbox, {})
    await sandbox.clock.advance('1s')
    return id
  },
  async COMPLETED_PARTIAL(sandbox) {
    const id = await triggered(sandbox, { audience: ordinary(1, 40) })
    await sandbox.clock.advance('1s')
    return id
  },
}

async function triggered(sandbox: Sandbox, change: Partial<Definition>): Promise<string> {
  const id = await define(sandbox, [notice, end], change)
  await sandbox.client.campaigns.trigger(id)
  return id
}

async function drain({ client }: Sandbox) {
  while ((await client.billing.balance()).free > 0) await client.messages.send({ ...rcsText, to: phones.readsAll })
}

type Verdict = { code: string } | { to: string }
const refused = (code: string): Verdict => ({ code })
const goesTo = (to: string): Verdict => ({ to })

const calls: Record<'trigger' | 'pause' | 'resume' | 'replace', (sandbox: Sandbox, id: string) => Promise<unknown>> = {
  trigger: ({ client }, id) => client.campaigns.trigger(id),
  pause: ({ client }, id) => client.campaigns.pause(id),
  resume: ({ client }, id) => client.campaigns.resume(id),
  replace: (sandbox, id) => define(sandbox, [notice, end], { campaign_id: id }),
}

const running = refused('campaign_already_running')
const notPausable = refused('campaign_not_pausable')
const notResumable = refused('campaign_not_resumable')
const whilePaused = { trigger: running, pause: notPausable, replace: running }
const whileIdle = { trigger: goesTo('RUNNING'), pause: notPausable, resume: notResumable, replace: goesTo('DRAFT') }

const verdicts: Record<keyof typeof reach, Record<keyof typeof calls, Verdict>> = {
  DRAFT: whileIdle,
  SCHEDULED: { ...whileIdle, trigger: refused('campaign_not_api_triggered') },
  RUNNING: { trigger: running, pause: goesTo('PAUSED'), resume: notResumable, replace: running },
  PAUSED: { ...whilePaused, resume: goesTo('RUNNING') },
  PAUSED_ERROR: { ...whilePaused, resume: goesTo('RUNNING') },
  PAUSED_BALANCE: { ...whilePaused, resume: refused('insufficient_balance') },
  COMPLETED: whileIdle,
  COMPLETED_PARTIAL: whileIdle,
}

const FROM = Object.keys(reach) as (keyof typeof reach)[]
const CALLS = Object.keys(calls) as (keyof typeof calls)[]

/** A campaign in a state, in a world with money for a few messages. */
async function campaignThatIs(from: keyof typeof reach) {
  const sandbox = await createSandbox({ world: await worldWith(2.5) })
  const id = await reach[from](sandbox)
  const before = await sandbox.client.campaigns.status(id)
  expect(before.status).toBe(from)
  expect(before.pause_reason).toBe(from.startsWith('PAUSED') ? from : null)
  return { sandbox, id, before }
}

test.each(FROM)('a campaign that is %s refuses calls as the interface says, which changes nothing', async (from) => {
  const { sandbox, id, before } = await campaignThatIs(from)
  await using _ = sandbox
  for (const call of CALLS) {
    const verdict = verdicts[from][call]
    if ('to' in verdict) continue
    await expect(calls[call](sandbox, id), call).rejects.toMatchObject({ code: verdict.code })
    expect(await sandbox.client.campaigns.status(id)).toEqual(before)
  }
})

test.each(
  FROM.flatMap((from) =>
    CALLS.flatMap((call) => {
      const verdict = verdicts[from][call]
      return 'to' in verdict ? [{ from, call, to: verdict.to }] : []
    }),
  ),
)('a campaign that is $from becomes $to by $call', async ({ from, call, to }) => {
  const { sandbox, id } = await campaignThatIs(from)
  await using _ = sandbox
  await calls[call](sandbox, id)
  expect((await sandbox.client.campaigns.status(id)).status).toBe(to)
})
