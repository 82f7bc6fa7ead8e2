import { createSuite, type Fixtures, type Suite, type SuiteOptions } from './suite.ts'

/** What a test does with its sandbox; the arguments of the runner follow. */
export type Body<Args extends unknown[]> = (fixtures: Fixtures, ...args: Args) => unknown

/** Makes a body of a test from one that is given a sandbox. */
export interface WithSandbox {
  <Args extends unknown[]>(body: Body<Args>): (...args: Args) => Promise<void>
  /** On an emulator that is made so; tests of equal options share it. */
  <Args extends unknown[]>(options: SuiteOptions, body: Body<Args>): (...args: Args) => Promise<void>
}

/** For runners without fixtures; `titleOf` tells the name of the test from what the runner hands to its body. */
export function bodies(titleOf: (args: unknown[]) => string): { withSandbox: WithSandbox; stop: () => Promise<void> } {
  const suites = new Map<string, Suite>()
  const suiteOf = (options: SuiteOptions): Suite => {
    const key = JSON.stringify(Object.entries(options).sort())
    const suite = suites.get(key) ?? createSuite(options)
    suites.set(key, suite)
    return suite
  }
  function withSandbox<Args extends unknown[]>(first: SuiteOptions | Body<Args>, second?: Body<Args>) {
    const [options, body] = typeof first === 'function' ? [{}, first] : [first, second!]
    // Runners count parameters to see whether a callback is wanted.
    return async (...args: Args) => {
      const world = await suiteOf(options).open(titleOf(args))
      try {
        await body({ sandbox: world.sandbox, receiver: await world.receiver() }, ...args)
      } finally {
        await world.close()
      }
    }
  }
  return { withSandbox, stop: async () => void (await Promise.all([...suites.values()].map((suite) => suite.stop()))) }
}
