import { expect, test } from 'vitest'
import type { PlayResult } from '../../src/handlers/explore/parts.ts'
import type { MadeDelivery } from '../../src/handlers/explore/schedule.ts'
import { lastEndingIn, shrink } from '../../src/handlers/explore/shrink.ts'
import type { Schedule } from '../../src/scenarios/deliveries.ts'

const names = ['message.queued', 'message.read', 'conversation.started', 'conversation.ended', 'message.queued']

function deliveryOf(event: number): MadeDelivery {
  const data = { from: '+4917139200001', with: '+4917139200001', user_message: { text: 'Friday is fine' } }
  const body = JSON.stringify({ id: `evt_${event}`, event: names[event], data })
  return { event, name: names[event]!, body, attempt: 1, how: 'plain', status: 200, repeats: 0, refusedCalls: [] }
}

/** The smallest schedule of an application that fails under these conditions. */
async function smallestOf(
  schedule: Schedule,
  fails: (schedule: Schedule) => boolean,
  { isCaller = false, together = 1, onPlay = (_: readonly Schedule[]) => {} } = {},
) {
  const playOne = (one: Schedule): PlayResult => ({
    schedule: one,
    deliveries: one.events.map(deliveryOf),
    findings: fails(one) ? [{ code: 'sends-differ', where: 'sends', message: '' }] : [],
  })
  const failing = { schedule, played: playOne(schedule) }
  const play = async (schedules: readonly Schedule[]) => {
    onPlay(schedules)
    return schedules.map(playOne)
  }
  let smallest: Schedule = schedule
  for await (const smaller of shrink(failing, play, isCaller ? lastEndingIn(failing.played) : -1, together))
    smallest = smaller.schedule
  return smallest
}

const events = [0, 1, 2, 3, 4]
const duplicate = { kind: 'duplicate', event: 1 } as const

test('the second person stays in a schedule only where it is needed', async () => {
  const schedule: Schedule = { events, perturbations: [duplicate], twice: true }
  expect(await smallestOf(schedule, ({ twice }) => twice === true)).toEqual({
    ...{ events: [0], perturbations: [] },
    twice: true,
  })
  const isDuplicated = ({ perturbations }: Schedule) => perturbations.length > 0
  expect(await smallestOf(schedule, isDuplicated)).toEqual({ events: [0, 1], perturbations: [duplicate] })
})

test('a schedule of an application that calls the service keeps what ends a session', async () => {
  const schedule: Schedule = { events, perturbations: [duplicate] }
  const isDuplicated = ({ perturbations }: Schedule) => perturbations.length > 0
  expect((await smallestOf(schedule, isDuplicated, { isCaller: true })).events).toEqual([0, 1, 2, 3])
})

test('a few plays find the two needed disturbances of a long schedule', async () => {
  const all = Array.from({ length: 14 }, (_, event) => event)
  const perturbations = all.map((event) => ({ kind: 'history', event, others: 150 }) as const)
  let plays = 0
  const smallest = await smallestOf({ events: all, perturbations }, (schedule) => {
    plays++
    return [3, 13].every((needed) => schedule.perturbations.some(({ event }) => event === needed))
  })
  expect(smallest.perturbations.map(({ event }) => event)).toEqual([3, 13])
  expect(plays).toBeLessThan(25)
})

test('candidates are played together, but no two that stop the application', async () => {
  const batches: (readonly Schedule[])[] = []
  const restart = { kind: 'restart', event: 1 } as const
  const isNeeded = ({ perturbations }: Schedule) => perturbations.length === 2
  const options = { together: 8, onPlay: (schedules: readonly Schedule[]) => void batches.push(schedules) }
  const smallest = await smallestOf({ events, perturbations: [restart, duplicate] }, isNeeded, options)
  expect(smallest).toEqual({ events: [0, 1], perturbations: [restart, duplicate] })
  const stopsIn = (schedules: readonly Schedule[]) =>
    schedules.filter(({ perturbations }) => perturbations.some(({ kind }) => kind === 'restart')).length
  expect(batches.map(stopsIn)).toEqual([1, 1, 1])
  expect(Math.max(...batches.map(({ length }) => length))).toBeGreaterThan(2)
})

test('a few plays find where a long flow can end', async () => {
  let plays = 0
  const schedule: Schedule = { events: Array.from({ length: 60 }, (_, event) => event), perturbations: [], twice: true }
  const smallest = await smallestOf(schedule, ({ twice, events }) => {
    plays++
    return twice === true && events.length > 44
  })
  expect(smallest.events).toHaveLength(45)
  expect(plays).toBeLessThan(30)
})
