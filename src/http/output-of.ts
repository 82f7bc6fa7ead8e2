import { execFile } from 'node:child_process'

const TIMEOUT_MS = 2_000

/** Runs a program of the system and resolves with its output. */
export const outputOf = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) =>
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
