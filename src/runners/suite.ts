import type { Receiver } from '../library/receiver.ts'
import type { Sandbox, SandboxOptions } from '../library/sandbox.ts'
import { FAILURES, keepFailure, type Test } from './failure.ts'
import { startHost, type TestHost } from './host.ts'
import { freshName, slug } from './names.ts'

/** Options of a worker's sandbox: those of createSandbox(), and the folder for failures. */
export interface SuiteOptions extends SandboxOptions {
  /**
   * Folder in which a failed test leaves a page of what happened in its sandbox, and its world as a snapshot;
   * `sandbox-failures` unless given. `false` keeps nothing.
   */
  failures?: string | false
}

/** The fixtures of a test. */
export interface Fixtures {
  /** The test's own: a namespace of the worker's emulator with its world and its clock, deleted after the test. */
  sandbox: Sandbox
  /** A server for webhooks that is subscribed to all events of that world; it starts with the first use. */
  receiver: Receiver
}

/** The world of one test. */
export interface TestWorld {
  readonly sandbox: Sandbox
  /** Its receiver, which is started when it is first asked for. */
  receiver(): Promise<Receiver>
  /** The test has failed: keeps what happened, and answers what is to be said of it; undefined where nothing is kept. */
  keep(failure: string | undefined): Promise<string | undefined>
  /** Deletes the world; a second time does nothing. */
  close(): Promise<void>
}

export interface Suite {
  /** Begins a world for a test, and the emulator of the worker with the first one. */
  open(test: Test): Promise<TestWorld>
  /** Ends the emulator; one that was never begun needs no end. */
  stop(): Promise<void>
}

/** The sandboxes of the tests that are under way in this worker, where matchers look messages up. */
export const underWay = new Set<Sandbox>()

export function createSuite({ failures = FAILURES, ...options }: SuiteOptions = {}): Suite {
  let host: Promise<TestHost> | undefined
  return {
    async open(test) {
      host ??= startHost(options)
      const { sandbox: emulator, names } = await host
      const name = freshName(slug(test.title), names)
      names.add(name)
      const sandbox = emulator.namespace(name)
      let hasFailed = false
      const keep = async (failure: string | undefined) => {
        hasFailed = true
        return failures === false ? undefined : keepFailure(sandbox, failures, test, failure)
      }
      // A body that its runner gave up goes on, and would meet the test that is tried again.
      return worldOf(sandbox, keep, () => void (hasFailed || names.delete(name)))
    },
    // Its tests have told why one did not start.
    stop: async () => void (await (await host?.catch(() => undefined))?.sandbox.stop()),
  }
}

function worldOf(sandbox: Sandbox, keep: TestWorld['keep'], gone: () => void): TestWorld {
  let receiver: Promise<Receiver> | undefined
  let closed: Promise<void> | undefined
  const close = async () => {
    underWay.delete(sandbox)
    // A fault of the test must not keep its receiver from ending.
    if (receiver) await sandbox.faults.clear()
    await (await receiver?.catch(() => undefined))?.stop()
    await sandbox.stop()
    gone()
  }
  underWay.add(sandbox)
  return {
    sandbox,
    receiver: () => {
      receiver ??= sandbox.receiver()
      return receiver
    },
    keep,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
