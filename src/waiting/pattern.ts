import { createContext, Script } from 'node:vm'
import { lazily } from '../words/lazy.ts'

/** A pattern such as `^(a+)+$` can take years for a text that it does not match. */
const TIMEOUT_MS = 1_000
interface Options {
  flags?: string
  /** The CPU time after which the text is given up; everybody else waits meanwhile. */
  timeoutMs?: number
}

const contextOf = lazily(() => createContext({}))
const scriptOf = lazily(() => new Script('new RegExp(pattern, flags).test(text)'))

/** A pattern that is invalid, or takes too long. */
export class PatternFault extends Error {}

/** Returns whether a text matches a pattern; one that is invalid or takes too long is a {@link PatternFault}. */
export function matches(pattern: string, text: string, { flags = 'u', timeoutMs = TIMEOUT_MS }: Options = {}): boolean {
  const context = Object.assign(contextOf(), { pattern, flags, text })
  const from = cpuUsage()
  // On a busy machine, the time may end before the process had any of it.
  while (cpuMsSince(from) < timeoutMs)
    try {
      return scriptOf().runInContext(context, { timeout: timeoutMs, breakOnSigint: true }) as boolean
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw new PatternFault(`the pattern ${pattern} is invalid: ${message}`)
    }
  const limit = `${timeoutMs / 1_000} s`
  throw new PatternFault(
    `the pattern ${pattern} takes more than ${limit} for this text; write it without nested repetitions`,
  )
}

/** Of this thread, as far as Node can tell. */
const cpuUsage = (from?: NodeJS.CpuUsage) => (process.threadCpuUsage ?? process.cpuUsage)(from)

function cpuMsSince(from: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(from)
  return (user + system) / 1_000
}
