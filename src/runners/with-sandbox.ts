import { remark, type Test } from './failure.ts'
import { createSuite, type Fixtures, type Suite, type SuiteOptions, type TestWorld } from './suite.ts'

/** A test's function; arguments of the runner follow. */
export type Body<Args extends unknown[]> = (fixtures: Fixtures, ...args: Args) => unknown

/** Makes a body of a test from one that is given a sandbox. */
export interface WithSandbox {
  <Args extends unknown[]>(body: Body<Args>): (...args: Args) => Promise<void>
  /** On an emulator that is made so; tests of equal options share it. */
  <Args extends unknown[]>(options: SuiteOptions, body: Body<Args>): (...args: Args) => Promise<void>
}

export interface Bodies {
  withSandbox: WithSandbox
  /**
   * For a runner that has given up on a test whose body goes on: keeps what happened and ends its world. Answers what is to be
   * said of it; undefined where the body has ended.
   */
  abandon(title: string): Promise<string | undefined>
  /** Ends the emulators. */
  stop(): Promise<void>
}

/** For runners without fixtures; `testOf` tells which test it is from what the runner hands to its body. */
export function bodies(testOf: (args: unknown[]) => Test): Bodies {
  const suites = new Map<string, Suite>()
  const open = new Map<string, TestWorld>()
  const abandoned: Promise<unknown>[] = []
  const suiteOf = (options: SuiteOptions): Suite => {
    const key = JSON.stringify(Object.entries(options).sort())
    const suite = suites.get(key) ?? createSuite(options)
    suites.set(key, suite)
    return suite
  }
  async function run(suite: Suite, test: Test, body: (fixtures: Fixtures) => unknown) {
    const world = await suite.open(test)
    open.set(test.title, world)
    try {
      await body({ sandbox: world.sandbox, receiver: await world.receiver() })
    } catch (error) {
      if (open.get(test.title) === world) await explain(world, error)
      throw error
    } finally {
      if (open.get(test.title) === world) open.delete(test.title)
      await world.close()
    }
  }
  function withSandbox<Args extends unknown[]>(first: SuiteOptions | Body<Args>, second?: Body<Args>) {
    const [options, body] = typeof first === 'function' ? [{}, first] : [first, second!]
    // Runners count parameters to see whether a callback is wanted.
    return (...args: Args) => run(suiteOf(options), testOf(args), (fixtures) => body(fixtures, ...args))
  }
  async function keepAndClose(world: TestWorld) {
    const said = await world.keep('The test was given up: it has not ended in time.')
    await world.close()
    return said
  }
  return {
    withSandbox,
    async abandon(title) {
      const world = open.get(title)
      if (!world) return undefined
      open.delete(title)
      const kept = keepAndClose(world)
      abandoned.push(kept)
      return kept
    },
    async stop() {
      // Evidence of an aborted test is read from the emulator.
      await Promise.allSettled(abandoned)
      await Promise.all([...suites.values()].map((suite) => suite.stop()))
    },
  }
}

async function explain(world: TestWorld, error: unknown) {
  const said = await world.keep(String((error as Partial<Error> | undefined)?.message ?? error))
  if (said !== undefined) remark(error, said)
}
