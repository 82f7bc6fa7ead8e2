import { afterAll, beforeAll } from 'vitest'
import { createSandbox, type TestSandbox } from './sandbox.ts'

/** One sandbox for all tests of a file that leave nothing behind in it, such as a table of refusals. */
export function sharedSandbox(): () => TestSandbox {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await createSandbox()
  })
  afterAll(() => sandbox[Symbol.asyncDispose]())
  return () => sandbox
}
