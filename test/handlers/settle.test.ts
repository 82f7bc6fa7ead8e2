import { expect, test } from 'vitest'
import type { PlayContext } from '../../src/handlers/explore/context.ts'
import { type Observation, settle } from '../../src/handlers/explore/settle.ts'

const SETTLE_MS = 20
const LIMIT_MS = 100

const pending: Observation = {
  ...{ state: 'queued', counters: '', isActive: false, deliveryMs: 0, isPending: true, pending: 1 },
  ...{ isRight: () => true, isCountedTooOften: false },
}

const atPace = () => ({ lagMs: 0, longestLagMs: 0, longestWorkMs: 0, otherTraffic: false })

const settled = (look: () => Observation, seen = atPace(), limitMs = LIMIT_MS) =>
  settle({ seen, settleMs: SETTLE_MS } as PlayContext, SETTLE_MS, async () => look(), limitMs)

test('an application that waits without any progress differs from one that is at work', async () => {
  let looks = 0
  const [waiting, busy] = await Promise.all([
    settled(() => pending),
    settled(() => ({ ...pending, state: `${looks++}` })),
  ])
  expect({ waiting, busy }).toEqual({ waiting: 'stalled', busy: 'pending' })
})

test('work on what was pending has time for its first call', async () => {
  let [waits, looks] = [5, 0]
  const look = () => {
    const isPending = waits-- > 0
    if (!isPending) looks++
    return { ...pending, isPending }
  }
  const verdict = await settled(look, atPace(), 60_000)
  expect({ verdict, hasTime: looks >= 3 }).toEqual({ verdict: 'right', hasTime: true })
})

test('a pause in what is known to be pending is not the pace of an application', async () => {
  const all = 10
  const seen = atPace()
  let looks = 0
  const working = () => ({ ...pending, isPending: looks < all, state: looks++ < all ? 'queued' : 'done' })
  await settle({ seen, settleMs: 1_000 } as PlayContext, 1_000, async () => working(), 60_000)
  expect(seen.longestLagMs).toBeLessThan(seen.longestWorkMs / 2)
})

test("the explorer's own deliveries are no part of an application's pace", async () => {
  const seen = atPace()
  let looks = 0
  const pauseMs = 300
  const look = async () => {
    const isActive = looks++ === 0
    if (isActive) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return { ...pending, isPending: false, isActive, deliveryMs: isActive ? pauseMs : 0, state: isActive ? '' : 'done' }
  }
  await settle({ seen, settleMs: 1_000 } as PlayContext, 1_000, look, 60_000)
  expect(seen.longestLagMs).toBeLessThan(pauseMs / 2)
})

test('a moment in which the machine let nobody work is no moment of quiet', async () => {
  const [quietMs, stalledMs] = [50, 25]
  let looks = 0
  const look = async () => {
    looks++
    setTimeout(() => stall(stalledMs))
    return { ...pending, isPending: false }
  }
  const context = { seen: { ...atPace(), lagMs: quietMs }, settleMs: quietMs } as PlayContext
  const verdict = await settle(context, quietMs, look, 60_000)
  expect({ verdict, isPatient: looks * stalledMs > 2 * quietMs }).toEqual({ verdict: 'right', isPatient: true })
})

function stall(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('an application whose state still changes at the limit has more time', async () => {
  const all = 20
  let looks = 0
  const working = () => ({ ...pending, isPending: looks < all, state: `${Math.min(looks++, all)}` })
  const context = { seen: { lagMs: 0, longestLagMs: 0, longestWorkMs: 0 }, settleMs: SETTLE_MS } as PlayContext
  const verdict = await settle(context, SETTLE_MS, async () => working(), LIMIT_MS, { mostMs: 60_000 })
  expect(verdict).toBe('right')
})

test('a probe that takes half of the limit is asked as often as another one', async () => {
  for (const [isRight, verdict] of [
    [true, 'right'],
    [false, 'wrong'],
  ] as const) {
    const look = async () => {
      await new Promise((resolve) => setTimeout(resolve, LIMIT_MS / 2))
      return { ...pending, isPending: false, isRight: () => isRight }
    }
    const context = { seen: atPace(), settleMs: SETTLE_MS } as PlayContext
    expect(await settle(context, SETTLE_MS, look, LIMIT_MS)).toBe(verdict)
  }
})

test('an application whose queue gets shorter has more time, also if it is about others', async () => {
  let left = 20
  const working = () => ({ ...pending, isPending: left > 0, pending: Math.max(0, left--) })
  const context = { seen: atPace(), settleMs: SETTLE_MS } as PlayContext
  expect(await settle(context, SETTLE_MS, async () => working(), LIMIT_MS, { mostMs: 60_000 })).toBe('right')
  left = Number.POSITIVE_INFINITY
  const stuck = () => ({ ...working(), pending: 20 })
  expect(await settle(context, SETTLE_MS, async () => stuck(), LIMIT_MS, { mostMs: 60_000 })).toBe('stalled')
})

test.each([
  ['a counter that rises while events are pending', true, false],
  ['a counter that rises while nothing is pending', false, true],
])('%s', async (_, isPending, otherTraffic) => {
  const seen = { lagMs: 0, longestLagMs: 0, longestWorkMs: 0, otherTraffic: false }
  let looks = 0
  await settled(() => ({ ...pending, isPending, counters: `${looks++}`, isCountedTooOften: true }), seen)
  expect(seen.otherTraffic).toBe(otherTraffic)
})
