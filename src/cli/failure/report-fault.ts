import { Problem } from '../../words/problem.ts'
import { redactSecrets } from '../../words/redact.ts'
import type { Output } from '../output/output.ts'

/** Reports an error inside an emulator that runs in this process. */
export function reportFault(output: Output, error: unknown, doing: string) {
  // A Problem, such as a full disk, is not a bug: the user can fix it.
  if (error instanceof Problem) {
    const message = `While ${doing}: ${error.message}`
    return output.warn({ warning: error.code, message })
  }
  const stack = redactSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))
  output.warn(
    { error: 'bug', message: `A bug while ${doing}; please report it.`, stack },
    (paint) => `${paint.red('✗')} A bug while ${doing}; please report it.\n${paint.dim(stack)}`,
  )
}
