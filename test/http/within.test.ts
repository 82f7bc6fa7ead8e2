import { expect, test } from 'vitest'
import { Limit } from '../../src/http/limit.ts'
import { LIMIT_STEPS, stepOf } from '../../src/http/sleep.ts'
import { within } from '../../src/http/within.ts'
import { holdTimers } from '../machine-clock.ts'

const OVER = () => 'over'

test.for([
  ['of work', () => within(300, new Promise(() => {})).then(OVER)],
  [
    'of a request',
    () => new Promise((resolve) => new Limit(300).signal.addEventListener('abort', () => resolve(OVER()))),
  ],
] as const)('a suspended process loses one step of the time limit %s, and not all of it', async ([, begin]) => {
  const step = holdTimers(stepOf(300))
  let ended: unknown
  const limited = begin().then((is) => {
    ended = is
  })
  for (let passed = 0; passed < LIMIT_STEPS; passed++) {
    expect(ended).toBeUndefined()
    await step.pass()
  }
  await limited
  expect([ended, step.started()]).toEqual(['over', LIMIT_STEPS])
})

test('work that ends within its limit gives its result, and stops the time', async () => {
  const step = holdTimers(stepOf(300))
  expect(await within(300, Promise.resolve('done'))).toBe('done')
  expect(await within(0, new Promise(() => {}))).toBeUndefined()
  expect(step.started()).toBe(1)
})
