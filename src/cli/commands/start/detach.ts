import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { poll } from '../../../client/poll.ts'
import { isRecord, jsonOr } from '../../../words/json.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../../world/storage/private.ts'
import { abortable } from '../../process/abortable.ts'
import { cacheFolder } from '../../process/cache-folder.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'

const LOOK_EVERY_MS = 25
const TIMEOUT_MS = 60_000

/** The `ready` line of a start. */
type Ready = Record<string, unknown> & { url: string; pid: number }

/** The log file of a detached sandbox: in its data folder, or in a common folder for those in memory. */
export const logFileOf = ({ env }: Pick<Io, 'env'>, folder: string | undefined, port: number): string =>
  folder === undefined
    ? join(cacheFolder(env) ?? tmpdir(), 'logs', `${port === 0 ? `sandbox-${process.pid}` : port}.log`)
    : join(folder, 'sandbox.log')

/** The same arguments without --detach, and with JSON output. */
export const detachedArguments = (argv: readonly string[]): string[] =>
  argv.filter(
    (word, i) => !/^--(detach|json|(log|output)(=.*)?)$/.test(word) && !/^--(log|output)$/.test(argv[i - 1] ?? ''),
  )

/** Starts a detached process and resolves with its `ready` line. */
export async function startDetached(io: Io, argv: readonly string[], log: string): Promise<Ready> {
  makePrivateFolder(dirname(log))
  const file = openSync(log, 'a', PRIVATE_FILE)
  const from = statSync(log).size
  const [program = '', ...before] = io.launcher
  const child = spawn(program, [...before, ...argv], {
    cwd: io.cwd,
    env: ownEnvironment(io),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const ended = new Promise<ExitCode>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve((code ?? EXIT.bug) as ExitCode))
  })
  const ready = poll({ everyMs: LOOK_EVERY_MS, timeoutMs: TIMEOUT_MS, signal: io.signal }, async () =>
    readyIn(log, from),
  )
  try {
    const came = await abortable(Promise.race([ready, ended]), io, () => {})
    if (typeof came === 'number') throw failureIn(log, from, came)
    if (came === undefined) throw timedOut(`The sandbox was not ready within ${TIMEOUT_MS / 1000} s.`, `See ${log}.`)
    child.unref()
    return came
  } catch (error) {
    child.kill()
    throw error
  }
}

/** Hides our starter from the new process, which must outlive it (starter.ts). */
const ownEnvironment = ({ env }: Io) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_') && name !== 'SANDBOX_PINNED_NODE'))

const linesIn = (log: string, from: number): Record<string, unknown>[] =>
  readFileSync(log)
    .subarray(from)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => jsonOr(line, undefined))
    .filter(isRecord)

const readyIn = (log: string, from: number) =>
  linesIn(log, from).find(({ ready }) => ready === true) as Ready | undefined

/** The failure that the process wrote into its log. */
function failureIn(log: string, from: number, exit: ExitCode): Fault {
  const {
    error = 'bug',
    message,
    hint,
    exit_code: _,
    ...extra
  } = linesIn(log, from).findLast(({ error }) => error) ?? {}
  return new Fault(String(message ?? `The sandbox ended with ${exit} before it was ready. See ${log}.`), {
    code: String(error),
    exit,
    hint: hint === undefined ? undefined : String(hint),
    extra,
  })
}
