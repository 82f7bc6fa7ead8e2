import { type Context, createContext, Script } from 'node:vm'

/** A pattern such as `^(a+)+$` can take years for a text that it does not match. */
const TIMEOUT_MS = 1_000

let context: (Context & { pattern: string; text: string }) | undefined
let script: Script | undefined

/** A pattern that is invalid, or takes too long. */
export class PatternFault extends Error {}

/** Returns whether a text matches a pattern; a pattern that takes too long fails the step. */
export function matches(pattern: string, text: string): boolean {
  context ??= createContext({ pattern, text }) as typeof context & object
  script ??= new Script("new RegExp(pattern, 'u').test(text)")
  Object.assign(context, { pattern, text })
  try {
    return script.runInContext(context, { timeout: TIMEOUT_MS, breakOnSigint: true }) as boolean
  } catch (error) {
    throw new PatternFault(
      (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? `the pattern ${pattern} takes more than ${TIMEOUT_MS / 1_000} s for this text; write it without nested repetitions`
        : `the pattern ${pattern} is invalid: ${(error as Error).message}`,
    )
  }
}
