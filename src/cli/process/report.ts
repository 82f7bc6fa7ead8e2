import { closeSync, writeSync } from 'node:fs'
import type { Io } from './io.ts'

/** File descriptor of the pipe to the `start --detach` that started this process. */
export const REPORT_FD = 3
export const REPORT_VARIABLE = 'SANDBOX_REPORT_FD'

type Output = Pick<Io, 'stdout' | 'stderr'>

/**
 * Copies warnings, the failure or the first line of output to the command that started this process detached: several
 * starts may write to the same log file.
 */
export function reporting({ stdout, stderr }: Output, env: NodeJS.ProcessEnv): Output {
  if (env[REPORT_VARIABLE] !== String(REPORT_FD)) return { stdout, stderr }
  delete env[REPORT_VARIABLE]
  let isOpen = true
  const report = (text: string | Uint8Array) => {
    try {
      if (isOpen) writeSync(REPORT_FD, String(text))
    } catch {
      // The other command has ended.
      isOpen = false
    }
  }
  const copying = (sink: Io['stdout'], isLast: boolean): Io['stdout'] => ({
    isTTY: sink.isTTY,
    columns: sink.columns,
    write(text) {
      report(text)
      if (isLast && isOpen) {
        isOpen = false
        closeSync(REPORT_FD)
      }
      return sink.write(text)
    },
  })
  return { stdout: copying(stdout, true), stderr: copying(stderr, false) }
}
