import { test as base, expect, type RunnerTestCase } from 'vitest'
import type { Receiver } from '../library/receiver.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { matchers, type SandboxMatchers } from './matchers.ts'
import { createSuite, type Suite, type SuiteOptions, type TestWorld } from './suite.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, SuiteOptions } from './suite.ts'

declare module 'vitest' {
  interface Matchers<R, T> extends SandboxMatchers {}
}

expect.extend(matchers)

/** Fixtures of Vitest: `worker` and `world` are how `sandbox` and `receiver` come about. */
interface VitestFixtures {
  sandboxWorker: Suite
  sandboxWorld: TestWorld
  sandbox: Sandbox
  receiver: Receiver
}

/** A `test` of Vitest with the fixtures `sandbox` and `receiver`, on an emulator that is made so; one for each worker. */
export const sandboxTest = (options: SuiteOptions = {}) =>
  base.extend<VitestFixtures>({
    sandboxWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed
      async ({}, use) => {
        const suite = createSuite(options)
        await use(suite)
        await suite.stop()
      },
      { scope: 'worker' },
    ],
    sandboxWorld: async ({ sandboxWorker, task }, use) => {
      const world = await sandboxWorker.open(testOf(task))
      await use(world)
      if (task.result?.state === 'fail' && !task.fails) await explain(world, task.result.errors?.at(-1))
      await world.close()
    },
    sandbox: async ({ sandboxWorld }, use) => use(sandboxWorld.sandbox),
    receiver: async ({ sandboxWorld }, use) => use(await sandboxWorld.receiver()),
  })

function testOf({ name, suite, file }: RunnerTestCase) {
  const groups: string[] = []
  for (let above = suite; above && above.name !== ''; above = above.suite) groups.unshift(above.name)
  return { title: [...groups, name].join(' '), file: file.filepath }
}

/** The error has been made ready for the reporters, which show its message. */
async function explain(world: TestWorld, error: { message: string } | undefined) {
  const said = await world.keep(error?.message)
  if (said !== undefined && error !== undefined) error.message += `\n\n${said}`
}

/** `test` with a sandbox of its own for each test: in memory, on a frozen clock. */
export const test = sandboxTest()
export { expect, test as it }
