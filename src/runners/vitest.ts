import { test as base, expect, type RunnerTestCase, type TestContext } from 'vitest'
import type { Test } from '../evidence/place.ts'
import { addMatchers, type SandboxMatchers } from './matchers.ts'
import {
  type BodyContext,
  bodyContext,
  createSuite,
  type Fixtures,
  type LeaseFixtures,
  type Suite,
  type SuiteOptions,
  type TestWorld,
} from './suite.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, LeaseFixtures, Suite, SuiteOptions, TestWorld } from './suite.ts'

declare global {
  // Vitest 3, 4 and 5 derive their assertions from this one; the type parameters of their own differ.
  namespace Chai {
    interface Assertion extends SandboxMatchers {}
  }
}

addMatchers(expect)

/** Fixtures of Vitest: `sandbox` and `receiver` are made from the three others. */
export interface VitestFixtures extends Fixtures, LeaseFixtures {
  /** Without a name, which declarations of a user's own `test` would need. */
  sandboxContext: object
  sandboxWorker: Suite
  sandboxWorld: TestWorld
}

/** A `test` of Vitest with the fixtures `sandbox`, `receiver`, `phone` and `email`; each worker has an emulator. */
export const sandboxTest = (options: SuiteOptions = {}) =>
  base.extend<VitestFixtures>({
    // First, because Vitest 3 and 4 go on to the body from the first step of the first fixture.
    sandboxContext: async ({ task }, use) => {
      const own: BodyContext = {}
      enterAtUse(task.context, own)
      bodyContext.enterWith(own)
      await use(own)
    },
    sandboxWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed
      async ({}, use) => {
        const suite = createSuite(options, { name: 'sandboxTest', annotates: true })
        await use(suite)
        await suite.stop()
      },
      { scope: 'worker' },
    ],
    sandboxWorld: async ({ sandboxContext, sandboxWorker, task, annotate }, use) => {
      // Older versions know no fixtures of a worker.
      if (typeof (sandboxWorker as Partial<Suite>).open !== 'function')
        throw new Error('messaging-sandbox/vitest needs Vitest 3.2 or newer.')
      const world = await bodyContext.run(sandboxContext, () => sandboxWorker.open(testOf(task)))
      await use(world)
      const hasFailed = task.result?.state === 'fail'
      const missing = hasFailed ? undefined : world.notAwaited()
      const error = missing ?? task.result?.errors?.at(-1)
      if ((hasFailed && !task.fails) || missing !== undefined) await explain(world, task, annotate, error)
      await world.close()
      if (missing !== undefined) throw missing
    },
    sandbox: async ({ sandboxWorld }, use) => use(sandboxWorld.sandbox),
    receiver: async ({ sandboxWorld }, use) => use(await sandboxWorld.receiver()),
    phone: async ({ sandboxWorld }, use) => use(await sandboxWorld.phone()),
    email: async ({ sandboxWorld }, use) => use(await sandboxWorld.email()),
  })

/** A body begins with the fixtures that it takes. After a hook that has made them, Vitest starts it outside of their context. */
function enterAtUse(context: object, own: BodyContext) {
  for (const name of ['sandbox', 'receiver', 'phone', 'email']) {
    let value: unknown
    Object.defineProperty(context, name, {
      configurable: true,
      enumerable: true,
      get() {
        bodyContext.enterWith(own)
        return value
      },
      set(made) {
        value = made
      },
    })
  }
}

function testOf({ id, name, suite, file, result }: RunnerTestCase): Test {
  const groups: string[] = []
  for (let above = suite; above && above.name !== ''; above = above.suite) groups.unshift(above.name)
  // Several projects may run the same file.
  const names = [file.projectName, ...groups, name].filter(Boolean)
  const repeat = result?.repeatCount ?? 0
  return {
    title: names.join(' '),
    file: file.filepath,
    id: `${id} ${repeat}`,
    attempt: (result?.retryCount ?? 0) + 1,
  }
}

type Annotate = TestContext['annotate']

/** The error is already prepared for the reporters, which show its message. */
async function explain(
  world: TestWorld,
  task: RunnerTestCase,
  annotate: Annotate,
  error: { message: string; stack?: string } | undefined,
) {
  const kept = await world.keep(error ?? {})
  if (kept !== undefined && error !== undefined) error.message += `\n\n${kept.remark}`
  if (kept?.page !== undefined) await annotateFailed(task, annotate, `What happened in this test: ${kept.page}`)
}

/** Vitest refuses annotations of a test that has failed, although its fixtures are still in use. */
function annotateFailed({ result }: RunnerTestCase, annotate: Annotate, message: string): Promise<unknown> {
  const { state } = result!
  result!.state = 'run'
  try {
    return annotate(message)
  } finally {
    result!.state = state
  }
}

/** `test` with a sandbox of its own for each test: in memory, on a frozen clock. */
export const test = sandboxTest()
export { expect, test as it }
