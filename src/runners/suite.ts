import type { Receiver } from '../library/receiver.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../library/sandbox.ts'
import { freshName, slug } from './names.ts'

/** How the sandbox of a worker is made; all of createSandbox() can be said. */
export type SuiteOptions = SandboxOptions

/** What a test is given. */
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
  close(): Promise<void>
}

export interface Suite {
  /** Begins a world for a test of this name, and the emulator of the worker with the first one. */
  open(title: string): Promise<TestWorld>
  /** Ends the emulator; one that was never begun needs no end. */
  stop(): Promise<void>
}

/** The sandboxes of the tests that are under way in this worker, where matchers look messages up. */
export const underWay = new Set<Sandbox>()

export function createSuite(options: SuiteOptions = {}): Suite {
  let emulator: Promise<Sandbox> | undefined
  const names = new Set<string>()
  return {
    async open(title) {
      emulator ??= createSandbox(options)
      const host = await emulator
      const name = freshName(slug(title), names)
      names.add(name)
      return worldOf(host.namespace(name), () => void names.delete(name))
    },
    stop: async () => void (await (await emulator)?.stop()),
  }
}

function worldOf(sandbox: Sandbox, gone: () => void): TestWorld {
  let receiver: Promise<Receiver> | undefined
  underWay.add(sandbox)
  return {
    sandbox,
    receiver: () => {
      receiver ??= sandbox.receiver()
      return receiver
    },
    async close() {
      underWay.delete(sandbox)
      await (await receiver?.catch(() => undefined))?.stop()
      await sandbox.stop()
      gone()
    },
  }
}
