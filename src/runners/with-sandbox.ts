import { locationIn, type Test } from '../evidence/place.ts'
import { definedFields } from '../words/fields.ts'
import { getOrAdd } from '../words/get-or-add.ts'
import { remark, type TestFailure } from './failure.ts'
import {
  bodyContext,
  createSuite,
  type Fixtures,
  type LeaseFixtures,
  type Suite,
  type SuiteOptions,
  type TestWorld,
} from './suite.ts'

/** The fixtures that a body gets: an address is leased where the options name it. */
type FixturesOf<Options> = Fixtures & Pick<LeaseFixtures, keyof Options & keyof LeaseFixtures>

/** A test's function; arguments of the runner follow. */
type Body<Args extends unknown[], Options = object> = (fixtures: FixturesOf<Options>, ...args: Args) => unknown

/**
 * Creates the body of a test from a function with a sandbox.
 * @public The declarations of the runners name it.
 */
export interface WithSandbox {
  <Args extends unknown[]>(body: Body<Args>): (...args: Args) => Promise<void>
  /** On an emulator with these options; tests with equal options share it. */
  <Args extends unknown[], Options extends SuiteOptions>(
    options: Options,
    body: Body<Args, Options>,
  ): (...args: Args) => Promise<void>
}

export interface Bodies {
  withSandbox: WithSandbox
  /**
   * For a runner that aborted a test whose body still runs: saves the evidence and ends its world. Returns the note
   * on it; undefined if the body has ended.
   */
  abandon(key: unknown): Promise<string | undefined>
  /** Ends the emulators. */
  stop(): Promise<void>
}

/** A test as its runner names it. */
export interface RunningTest {
  /** Identifies the test for `abandon`; undefined if the runner does not abort tests. */
  key: unknown
  test: Test
}

/** For runners without fixtures. `testOf` finds the test in what the runner passes to its body. */
export function bodies(testOf: (args: unknown[], runner: unknown) => RunningTest): Bodies {
  const suites = new Map<string, Suite>()
  const open = new Map<unknown, TestWorld>()
  /** Worlds of aborted tests, each with the end of its evidence. */
  const abandoned = new Map<TestWorld, Promise<unknown>>()
  const suiteOf = (options: SuiteOptions): Suite => {
    const key = JSON.stringify(Object.entries(options).sort())
    return getOrAdd(suites, key, () => createSuite(options))
  }
  async function run(
    suite: Suite,
    { key, test }: RunningTest,
    options: SuiteOptions,
    body: (fixtures: never) => unknown,
  ) {
    const world = await suite.open(test)
    open.set(key, world)
    try {
      await body((await fixturesOf(world, options)) as never)
      const missing = world.notAwaited()
      if (missing !== undefined) throw missing
    } catch (error) {
      if (!abandoned.has(world)) await explain(world, error)
      // What the end of the world says is less than why the test has failed.
      await close(key, world).catch(() => {})
      throw error
    }
    await close(key, world)
  }
  async function close(key: unknown, world: TestWorld) {
    if (open.get(key) === world) open.delete(key)
    // The page of an aborted test is written from its world, which is closed then.
    await (abandoned.get(world) ?? world.close())
  }
  function withSandbox(...[first, second]: [SuiteOptions | Body<unknown[]>, Body<unknown[]>?]) {
    const [options, body] = typeof first === 'function' ? [{}, first] : [first, second!]
    const declared = locationIn(new Error('declared').stack)
    // Runners count parameters to see whether a callback is wanted, and Mocha hands the test over as `this`.
    return function (this: unknown, ...args: unknown[]) {
      const { key = {}, test } = testOf(args, this)
      // A field that the runner omits must not hide the one in the stack.
      const located = { ...declared, ...definedFields(test) }
      const running = { key, test: located }
      return bodyContext.run({}, () => run(suiteOf(options), running, options, (fixtures) => body(fixtures, ...args)))
    }
  }
  async function keepAndClose(world: TestWorld) {
    const kept = await world.keep({ message: 'The test did not end in time, so its runner aborted it.' })
    await world.close()
    return kept?.remark
  }
  return {
    withSandbox: withSandbox as WithSandbox,
    async abandon(key) {
      const world = open.get(key)
      if (!world) return undefined
      open.delete(key)
      const kept = keepAndClose(world)
      abandoned.set(world, kept)
      return kept
    },
    async stop() {
      // Evidence of an aborted test is read from the emulator.
      await Promise.allSettled(abandoned.values())
      await Promise.all([...suites.values()].map((suite) => suite.stop()))
    },
  }
}

async function fixturesOf(
  world: TestWorld,
  { phone, email }: SuiteOptions,
): Promise<Partial<LeaseFixtures> & Fixtures> {
  const { sandbox } = world
  return {
    sandbox,
    receiver: await world.receiver(),
    ...(phone && { phone: await world.phone() }),
    ...(email && { email: await world.email() }),
  }
}

async function explain(world: TestWorld, error: unknown) {
  const kept = await world.keep(failureOf(error))
  if (kept !== undefined) remark(error, kept.remark)
}

function failureOf(error: unknown): TestFailure {
  const { message, stack } = (error ?? {}) as TestFailure
  return { message: String(message ?? error), stack }
}
