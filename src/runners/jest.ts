import { afterAll, afterEach, expect } from '@jest/globals'
import { addMatchers, type SandboxMatchers } from './matchers.ts'
import { bodies, type RunningTest } from './with-sandbox.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, LeaseFixtures, SuiteOptions } from './suite.ts'

declare module '@jest/expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SandboxMatchers {}
}

declare global {
  // For tests that use the global `expect` of @types/jest.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: its type parameters must be those that @types/jest gives it
    interface Matchers<R, T = {}> extends SandboxMatchers {}
  }
}

addMatchers(expect)

/** The test in progress. Bun has expect, and no state of it. */
function testNow(): RunningTest {
  const { currentConcurrentTestName, currentTestName, testPath } = expect.getState?.() ?? {}
  const title = currentConcurrentTestName?.() ?? currentTestName
  return { key: title, test: { title, file: testPath } }
}

const { withSandbox, abandon, stop } = bodies(testNow)

afterEach(async () => {
  const sentence = await abandon(testNow().key)
  if (sentence !== undefined) throw new Error(sentence)
})
afterAll(stop)

/**
 * Gives a test a sandbox of its own: `test('…', withSandbox(async ({ sandbox, receiver }) => { … }))`; with `test.each` the row
 * follows. All files of a worker share an emulator, in memory and on a frozen clock; on options before the body it is another one.
 */
export { withSandbox }
