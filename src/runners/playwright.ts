import { expect as bareExpect, test as base, type TestInfo } from '@playwright/test'
import type { Test } from '../evidence/place.ts'
import { remark } from './failure.ts'
import { matchers, type SandboxMatchers } from './matchers.ts'
import {
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
  namespace PlaywrightTest {
    interface Matchers<R, T = unknown> extends SandboxMatchers {}
  }
}

bareExpect.extend(matchers)

export { bareExpect as expect }

/** Fixtures of Playwright: `sandbox` and `receiver` are made from `sandboxWorker` and `sandboxWorld`. */
export interface PlaywrightFixtures extends Fixtures, LeaseFixtures {
  sandboxWorld: TestWorld
}

/** A `test` of Playwright with the fixtures `sandbox`, `receiver`, `phone` and `email`; each worker has an emulator. */
export const sandboxTest = (options: SuiteOptions = {}) =>
  base.extend<PlaywrightFixtures, { sandboxWorker: Suite }>({
    sandboxWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
      async ({}, use, { config }) => {
        const annotates = config.reporter.some(([name]) => name === 'github')
        const suite = createSuite(options, { name: 'sandboxTest', annotates })
        await use(suite)
        await suite.stop()
      },
      { scope: 'worker' },
    ],
    sandboxWorld: async ({ sandboxWorker }, use, info) => {
      const world = await sandboxWorker.open(testOf(info))
      await use(world)
      const hasFailed = info.status !== info.expectedStatus
      const missing = hasFailed ? undefined : world.notAwaited()
      const text = hasFailed || missing !== undefined ? await keep(world, missing, info) : undefined
      await world.close()
      if (missing !== undefined && text !== undefined) remark(missing, text)
      if (missing !== undefined) throw missing
      if (text !== undefined) info.errors.push({ message: text })
    },
    sandbox: async ({ sandboxWorld }, use) => use(sandboxWorld.sandbox),
    receiver: async ({ sandboxWorld }, use) => use(await sandboxWorld.receiver()),
    phone: async ({ sandboxWorld }, use) => use(await sandboxWorld.phone()),
    email: async ({ sandboxWorld }, use) => use(await sandboxWorld.email()),
  })

const testOf = ({ project, titlePath, file, line, retry, repeatEachIndex, testId }: TestInfo): Test => ({
  title: [project.name, ...titlePath.slice(1)].filter(Boolean).join(' '),
  ...{ file, line },
  attempt: retry + 1,
  id: `${testId} ${repeatEachIndex}`,
})

/** Attaches the page to the report, and returns the note on the failure. */
async function keep(world: TestWorld, missing: Error | undefined, info: TestInfo): Promise<string | undefined> {
  const kept = await world.keep(missing ?? info.errors.at(-1) ?? {})
  if (kept?.page !== undefined) await info.attach('sandbox', { path: kept.page, contentType: 'text/html' })
  return kept?.remark
}

/** `test` with a sandbox of its own for each test: in memory, on a frozen clock. */
export const test = sandboxTest()
