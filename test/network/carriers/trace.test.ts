import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Layer } from '../../../src/network/carriers/behaviour.ts'
import {
  type Draw,
  type Plan,
  type PlanDecision,
  planEmail,
  planRcs,
  planSms,
  type Trace,
} from '../../../src/network/carriers/plan.rules.ts'

const ms = (lowMs: number, highMs = lowMs) => ({ lowMs, highMs })
const share = fc.constantFrom(0, 0.3, 1)
const carrier = fc.record({ read: share, never_delivered: share, UNKNOWN_RCS_USER: share }).map(
  ({ read, never_delivered, UNKNOWN_RCS_USER }) =>
    ({
      name: 'nordfunk',
      weight: 1,
      dispatch_delay: ms(1),
      delivery_delay: ms(10, 20),
      failure_delay: ms(5),
      read_delay: ms(30, 60),
      read,
      failed: { UNKNOWN_RCS_USER },
      never_delivered,
      outage: false,
    }) as never,
)
const mail = fc.record({ bounced: share, opened: share, clicked: share, complained: share }).map((shares) => ({
  ...shares,
  dispatch_delay: ms(1),
  delivery_delay: ms(10, 20),
  open_delay: ms(30, 40),
  click_delay: ms(5),
}))
const sets: fc.Arbitrary<Layer['sets']> = fc.record(
  {
    outcome: fc.constantFrom('delivered' as const, 'never_delivered' as const),
    read: fc.boolean(),
    read_receipts: fc.boolean(),
    replies: fc.constant('Hello'),
    opened: fc.boolean(),
    unsubscribed: fc.boolean(),
    delivery_delay: fc.constant(ms(7)),
  },
  { requiredKeys: [] },
)
const layers = fc.array(
  sets.map((sets) => ({ from: 'handset', sets })),
  { maxLength: 2 },
)
const draws = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 20, maxLength: 20 })

/** A number for each decision, the same for every caller and every call. */
const drawOf =
  (numbers: readonly number[]): Draw =>
  (decision) =>
    numbers[[...decision].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % numbers.length]!

/** Every delay of a plan, in its order. */
const delaysOf = (plan: Plan): number[] =>
  plan.outcome === 'never_delivered'
    ? []
    : [plan.afterMs, ...(plan.outcome === 'delivered' ? plan.steps.map(({ afterMs }) => afterMs) : [])]

test('traced', () => {
  fc.assert(
    fc.property(carrier, mail, layers, draws, fc.boolean(), (carrier, mail, layers, numbers, hasLink) => {
      const plans: ((draw: Draw, trace?: Trace) => Plan)[] = [
        (...how) => planRcs({ carrier, layers, refusal: undefined }, ...how),
        (...how) => planSms({ carrier, layers }, ...how),
        (...how) => planEmail({ mail, layers, hasLink }, ...how),
      ]
      for (const plan of plans) {
        const traced: PlanDecision[] = []
        const again = plan(drawOf(numbers), (finding) => traced.push(finding))
        expect(again).toEqual(plan(drawOf(numbers)))
        expect(traced.flatMap((finding) => (finding.by === 'delay' ? [finding.afterMs] : []))).toEqual(delaysOf(again))
        expect(traced[0]!.stage).toBe('outcome')
      }
    }),
  )
})
