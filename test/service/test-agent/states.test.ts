import { expect, test } from 'vitest'
import { registration } from '../../../src/service/test-agent/states.ts'

/** Choices, "Test Agent", by hand: what each state answers to each trigger. */
const EXPECTED: Record<string, Record<string, readonly [to: string, ...effects: string[]]>> = {
  NONE: { register: ['PENDING', 'send code'] },
  PENDING: { register: ['PENDING', 'send code'], verify: ['VERIFIED', 'stamp verified'] },
  VERIFIED: { register: ['PENDING', 'send code'], verify: ['VERIFIED'] },
}
const TRIGGERS = ['register', 'verify'] as const
const cases = Object.keys(EXPECTED).flatMap((state) => TRIGGERS.map((trigger) => ({ state, trigger })))

test.each(cases)('$trigger in $state does what the table says', ({ state, trigger }) => {
  const step = registration.next(state, trigger)
  expect(step && [step.to, ...step.effects]).toEqual(EXPECTED[state]![trigger])
})

test('the table has no other state or trigger', () => {
  expect([...registration.states].sort()).toEqual(Object.keys(EXPECTED).sort())
  expect([...registration.triggers].sort()).toEqual([...TRIGGERS].sort())
})
