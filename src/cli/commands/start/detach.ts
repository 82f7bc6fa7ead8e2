import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { deadline } from '../../../http/sleep.ts'
import { spawned } from '../../../http/spawned.ts'
import { isRecord, jsonOr } from '../../../words/json.ts'
import { openOwnLog } from '../../../world/storage/own-files.ts'
import { makePrivateFolder } from '../../../world/storage/private.ts'
import { abortable } from '../../process/abortable.ts'
import { sharedFolder } from '../../process/cache-folder.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'
import { REPORT_FD, REPORT_VARIABLE } from '../../process/report.ts'
import type { StartOptions } from './options.ts'
import type { StartWarning } from './tell.ts'

const TIMEOUT_MS = 60_000

/** The `ready` line of a start. */
type Ready = Record<string, unknown> & { url: string; pid: number; control_token?: string }

/** The log file of a detached sandbox: in its data folder, or in a common folder for those in memory. */
export const logFileOf = ({ env }: Pick<Io, 'env'>, folder: string | undefined, port: number): string =>
  folder === undefined
    ? join(sharedFolder(env, 'logs') ?? tmpdir(), `${port === 0 ? `sandbox-${process.pid}` : port}.log`)
    : join(folder, 'sandbox.log')

/** Options with a value that the background process does not get as arguments. */
const LEFT_OUT = 'log|output|query|control-token|cluster'
const LEFT_OUT_NAME = new RegExp(`^--(${LEFT_OUT})$`)
const LEFT_OUT_WORD = new RegExp(`^--(detach|json|(${LEFT_OUT})(=.*)?)$`)

/** The same arguments without --detach, options of the output, and secrets, see {@link secretsOf}. */
export const detachedArguments = (argv: readonly string[]): string[] =>
  argv.filter((word, i) => !LEFT_OUT_WORD.test(word) && !LEFT_OUT_NAME.test(argv[i - 1] ?? ''))

/** Secrets as variables: every user of a machine can read the arguments of a process, its owner alone its environment. */
export const secretsOf = ({ controlToken, cluster }: StartOptions): Record<string, string> => ({
  ...(controlToken === undefined ? {} : { SANDBOX_CONTROL_TOKEN: controlToken }),
  ...(cluster === undefined ? {} : { SANDBOX_CLUSTER: cluster }),
})

interface Started {
  ready: Ready
  warnings: StartWarning[]
}

/** Starts a detached process and resolves with its `ready` line. It ends with a failure of this process. */
export async function startDetached(
  io: Io,
  argv: readonly string[],
  log: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Started> {
  makePrivateFolder(dirname(log))
  const file = openOwnLog(log)
  const [program = '', ...before] = io.launcher
  const child = spawn(program, [...before, ...argv], {
    cwd: io.cwd,
    env: { ...ownEnvironment(io), [REPORT_VARIABLE]: String(REPORT_FD) },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', file, file, 'pipe'],
  })
  closeSync(file)
  const report = spawned(child).stdio[REPORT_FD] as Readable
  try {
    const started = await abortable(readyLine(child, report, log, timeoutMs), io, () => {})
    child.unref()
    return started
  } catch (error) {
    // One that does not answer a polite signal is of no use.
    child.kill('SIGKILL')
    throw error
  } finally {
    report.destroy()
  }
}

/** Reads the report of one start up to its `ready` line. */
function readyLine(child: ChildProcess, report: Readable, log: string, timeoutMs: number): Promise<Started> {
  return new Promise((resolve, reject) => {
    let text = ''
    const cancel = deadline(timeoutMs, () =>
      reject(timedOut(`The sandbox was not ready within ${timeoutMs / 1000} s.`, `See ${log}.`)),
    )
    const settle = (work: () => void) => {
      cancel()
      work()
    }
    report.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const lines = linesIn(text)
      const ready = lines.find(({ ready: isReady, pid }) => isReady === true && pid === child.pid)
      if (!ready) return
      const warnings = lines.filter(({ warning }) => warning !== undefined) as StartWarning[]
      settle(() => resolve({ ready: ready as Ready, warnings }))
    })
    report.on('error', () => {})
    child.once('error', (error) => settle(() => reject(error)))
    // Its last output may still be in the pipe.
    child.once('exit', (code) => {
      const end = () => settle(() => reject(failureIn(text, log, (code ?? EXIT.bug) as ExitCode)))
      if (report.readableEnded || report.destroyed) end()
      else report.once('close', end)
    })
  })
}

/** Hides our starter from the new process, which must outlive it (starter.ts). */
const ownEnvironment = ({ env }: Io) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_') && name !== 'SANDBOX_PINNED_NODE'))

const linesIn = (report: string): Record<string, unknown>[] =>
  report
    .split('\n')
    .slice(0, -1)
    .map((line) => jsonOr(line, undefined))
    .filter(isRecord)

/** The failure that the process has reported. */
function failureIn(report: string, log: string, exit: ExitCode): Fault {
  const { error = 'bug', message, hint, exit_code: _, ...extra } = linesIn(report).findLast(({ error }) => error) ?? {}
  return new Fault(String(message ?? `The sandbox ended with ${exit} before it was ready. See ${log}.`), {
    code: String(error),
    exit,
    hint: hint === undefined ? undefined : String(hint),
    extra,
  })
}
