import { expect, test } from 'vitest'
import { within } from '../../src/http/within.ts'
import { holdTimers } from '../machine-clock.ts'

test('a suspended process loses one step of a time limit, and not all of it', async () => {
  const step = holdTimers(100)
  let isOver = false
  const limited = within(300, new Promise(() => {})).then(() => {
    isOver = true
  })
  for (let passed = 0; passed < 3; passed++) {
    expect(isOver).toBe(false)
    await step.pass()
  }
  await limited
  expect(step.started()).toBe(3)
})

test('work that ends within its limit gives its result, and stops the time', async () => {
  const step = holdTimers(100)
  expect(await within(300, Promise.resolve('done'))).toBe('done')
  expect(await within(0, new Promise(() => {}))).toBeUndefined()
  expect(step.started()).toBe(1)
})
