import { expect as bareExpect, test as base, type TestInfo } from '@playwright/test'
import type { Receiver } from '../library/receiver.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { matchers, type SandboxMatchers } from './matchers.ts'
import { createSuite, type Suite, type SuiteOptions, type TestWorld } from './suite.ts'

export type { EventPattern } from './pattern.ts'
export type { Fixtures, SuiteOptions } from './suite.ts'

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T = unknown> extends SandboxMatchers {}
  }
}

bareExpect.extend(matchers)

export { bareExpect as expect }

interface OfTest {
  sandboxWorld: TestWorld
  /** The test's own: a namespace of the worker's emulator with its world and its clock, deleted after the test. */
  sandbox: Sandbox
  /** A server for webhooks that is subscribed to all events of that world. */
  receiver: Receiver
}

/** A `test` of Playwright with the fixtures `sandbox` and `receiver`, on an emulator that is made so; one for each worker. */
export const sandboxTest = (options: SuiteOptions = {}) =>
  base.extend<OfTest, { sandboxWorker: Suite }>({
    sandboxWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
      async ({}, use) => {
        const suite = createSuite(options)
        await use(suite)
        await suite.stop()
      },
      { scope: 'worker' },
    ],
    sandboxWorld: async ({ sandboxWorker }, use, info) => {
      const world = await sandboxWorker.open(testOf(info))
      await use(world)
      if (info.status !== info.expectedStatus) await explain(world, info)
      await world.close()
    },
    sandbox: async ({ sandboxWorld }, use) => use(sandboxWorld.sandbox),
    receiver: async ({ sandboxWorld }, use) => use(await sandboxWorld.receiver()),
  })

const testOf = ({ project, titlePath, file }: TestInfo) => ({
  title: [project.name, ...titlePath.slice(1)].filter(Boolean).join(' '),
  file,
})

async function explain(world: TestWorld, { error, errors }: TestInfo) {
  const said = await world.keep(error?.message)
  if (said !== undefined) errors.push({ message: said })
}

/** `test` with a sandbox of its own for each test: in memory, on a frozen clock. */
export const test = sandboxTest()
