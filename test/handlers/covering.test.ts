import { afterAll, expect, test } from 'vitest'
import { explore } from '../../src/handlers/explore/explore.ts'
import { openFlowSandbox } from '../../src/handlers/explore/flow-sandbox.ts'
import { builtInFlows, requireFlow } from '../../src/handlers/explore/flows/index.ts'
import { type Phase, planOf } from '../../src/handlers/explore/plan.ts'
import type { Perturbation, PerturbationKind } from '../../src/scenarios/deliveries.ts'
import { shop } from './shop.ts'

const flowSandbox = await openFlowSandbox('covering', { isTaken: () => false })
afterAll(() => flowSandbox.sandbox.stop())

/** They concern the application as a whole. */
const ALONE: ReadonlySet<PerturbationKind> = new Set(['restart', 'kill', 'rotation', 'unknown', 'new-value'])

test.each(['opt-out', 'two-people'])(
  'schedules with every event of %s disturbed contain each disturbance of an event once',
  async (name) => {
    const recording = await flowSandbox.record(requireFlow(name, builtInFlows), 'a')
    const delivered = [...recording.keys()]
    const plan = planOf(recording, { seed: 's', variants: 1, delivered, isPossible: () => true, idleSeconds: 0 })
    const of = (phase: Phase) =>
      Array.from({ length: plan.systematic }, (_, n) => n)
        .filter((n) => plan.phaseOf(n) === phase && plan.isPlayed(n))
        .map((n) => plan.at(n).perturbations)
    const schedules = of('covering')
    for (const perturbations of schedules) {
      const disturbed = perturbations.map(({ event }) => event)
      expect(disturbed).toEqual([...new Set(disturbed)])
      // The next event arrives at the same instant.
      for (const { kind, event } of perturbations) if (kind === 'together') expect(disturbed).not.toContain(event + 1)
    }
    const written = (list: readonly Perturbation[]) => list.map((one) => JSON.stringify(one)).toSorted()
    const covered = written(schedules.flat())
    const singles = written(
      of('single')
        .flat()
        .filter(({ kind }) => !ALONE.has(kind)),
    )
    expect(covered).toEqual([...new Set(covered)])
    expect(singles).toEqual(expect.arrayContaining(covered))
    // The end of the longest lists has nothing beside it, so it is not played like that.
    expect(covered.length).toBeGreaterThan(0.8 * singles.length)
    expect(schedules.length).toBeLessThan(singles.length / 3)
  },
)

const search = { idleSeconds: 0, settleMs: 20, seed: 's' } as const

test('a failure of a schedule with many disturbances is reported with the one that it needs', async () => {
  const flows = ['order-notification', 'failure', 'opt-out', 'bounce', 'complaint', 'tap', 'paused-campaign']
  const ids = new Set<string>()
  const { failure, coverage } = await explore({
    ...{ ...search, flows, disturbances: ['lost-answer'] },
    truth: () => ({ sends: {} }),
    handler({ body }) {
      const { id, event } = JSON.parse(body)
      const isKnown = ids.has(id)
      ids.add(id)
      return isKnown && event === 'campaign.paused' ? 500 : 200
    },
  })
  expect(coverage.covering.played).toBeGreaterThan(0)
  expect(failure?.schedule.perturbations).toHaveLength(1)
})

/** An application that counts a reply twice if a message to its person was repeated as well. */
function forgetful() {
  const { handler, truth, reset } = shop()
  let ids = new Set<string>()
  let repeated = new Set<string>()
  let replies: Record<string, number> = {}
  return {
    truth: () => ({ ...truth(), replies }),
    reset() {
      reset()
      ids = new Set()
      repeated = new Set()
      replies = {}
    },
    async handler(...args: Parameters<typeof handler>) {
      const answer = await handler(...args)
      if (answer === 401) return answer
      const { id, event, data } = JSON.parse(args[0].body)
      const isKnown = ids.has(id)
      ids.add(id)
      if (isKnown && event.startsWith('message.')) repeated.add(data.to)
      if (event === 'conversation.started' && (!isKnown || repeated.has(data.from)))
        replies[data.from] = (replies[data.from] ?? 0) + 1
      return answer
    },
  }
}

test('a failure that needs two of many disturbances is reported with both, and repeats by its seed', async () => {
  const disturbances = ['duplicate', 'replay', 'delay', 'timeout', 'lost-answer', 'unavailable'] as const
  const options = { ...search, flows: ['opt-out'], disturbances }
  const { failure, coverage } = await explore({ ...forgetful(), ...options })
  expect(coverage.covering.played).toBeGreaterThan(0)
  expect(failure?.schedule.perturbations).toHaveLength(2)
  const again = await explore({ ...forgetful(), ...options, seed: failure!.seed })
  expect(again).toMatchObject({ schedules: 1, failure: { story: failure!.story } })
})
