import { createSandbox as createBareSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts'

interface Fault {
  error: unknown
  doing: string
}

export interface TestSandbox extends Sandbox {
  /** Bugs of the sandbox since it started. A test that expects one takes it out; what is left fails the test. */
  readonly bugs: Fault[]
}

/** A sandbox on a frozen clock that holds every answer against its contract, and fails the test where it has a bug. */
export async function createSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const bugs: Fault[] = []
  const onFault = options.onFault ?? ((error, doing) => void bugs.push({ error, doing }))
  const sandbox = await createBareSandbox({ checkAnswers: true, ...options, onFault })
  return {
    ...sandbox,
    bugs,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      if (bugs.length > 0) throw faultError(bugs)
    },
  }
}

export type { Sandbox, SandboxOptions }

function faultError(faults: readonly Fault[]): Error {
  const lines = faults.map(
    ({ error, doing }) => `while ${doing}: ${error instanceof Error ? error.stack : String(error)}`,
  )
  return new AggregateError(
    faults.map(({ error }) => error),
    `the sandbox had ${faults.length === 1 ? 'a bug' : `${faults.length} bugs`}\n${lines.join('\n')}`,
  )
}
