import { isatty } from 'node:tty'
import { isAlive } from '../../http/is-alive.ts'
import { whenTrue } from '../../http/sleep.ts'
import { sinceProcessStart } from '../../http/stopwatch.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Io, Question, StopReason } from './io.ts'
import { keysOf } from './keys.ts'
import { handleOutputErrors } from './output-errors.ts'
import { programName, workingFolder } from './program-name.ts'
import { REPORT_VARIABLE, reporting } from './report.ts'

/** One Ctrl-C can arrive twice: from the terminal, and from npx or our own parent process, which pass it on. */
const DOUBLE_SIGNAL_MS = 500

/** Time for the rest of the output to reach a slow reader after a signal. One that has stopped reading would keep the process. */
const DRAIN_MS = 1_000

let isOver = false

const LOOK_EVERY_MS = 250

/** Wraps this process for commands. A second signal ends it at once. */
export function processIo(): Io {
  const stop = new AbortController()
  let stoppedAt: number | undefined
  const onSignal = (signal: Exclude<StopReason, 'EPIPE'>) => {
    const now = sinceProcessStart()
    if (stoppedAt === undefined) {
      stoppedAt = now
      stop.abort(signal satisfies StopReason)
      if (isOver) endSoon()
    } else if (now - stoppedAt > DOUBLE_SIGNAL_MS) endNow()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  // The terminal was closed, or the connection to it ended.
  process.on('SIGHUP', onSignal)
  if (process.env.SANDBOX_PINNED_NODE !== undefined) whenLauncherEnds(() => onSignal('SIGHUP'))
  const dropLostOutput = handleOutputErrors(() => stop.abort('EPIPE' satisfies StopReason))
  process.stderr.on('error', () => {})
  const cwd = workingFolder()
  // The command that reads the report writes the words by which it was called itself.
  const program = process.env[REPORT_VARIABLE] === undefined ? programName(process, cwd) : 'sandbox'
  return {
    ...reporting(process, process.env),
    // Read late: it takes 1.5 ms, and few commands need it.
    get stdin() {
      return process.stdin
    },
    env: process.env,
    cwd,
    program,
    keys: isatty(0) ? keysOf(process.stdin) : undefined,
    launcher: launcher(),
    signal: stop.signal,
    dropLostOutput,
    ask: (question) => ask(question, stop.signal),
    spin,
  }
}

/** bin/sandbox.js under an older Node starts this process, and cannot pass a SIGKILL on. */
function whenLauncherEnds(ended: () => void) {
  const launcher = process.ppid
  whenTrue(LOOK_EVERY_MS, () => process.ppid !== launcher || !isAlive(launcher), ended)
}

/**
 * Ends the process even while the system works on a read of a file or the lookup of a name, such as from a pipe without a
 * writer or a silent name server: process.exit would wait for it, and a signal without a handler does not. Shells report that
 * signal as 130 too.
 */
export function endNow() {
  if (
    process.platform !== 'win32' &&
    process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo)/.test(name))
  ) {
    process.removeAllListeners('SIGINT')
    process.kill(process.pid, 'SIGINT')
  }
  process.exit(EXIT.interrupted)
}

const endSoon = () => whenTrue(DRAIN_MS, () => true, endNow)

/**
 * Lets the process end with a code. The lookup of a name cannot be cancelled, and would keep a stopped sandbox for as long as
 * the name server is silent. A shell in its place ends at once, with the same code.
 */
export function endWith(code: ExitCode, { signal }: Pick<Io, 'signal'>) {
  process.exitCode = code
  isOver = true
  // By then all output is written. Otherwise Node clears its memory piece by piece.
  process.once('beforeExit', () => process.exit())
  if (signal.aborted) endSoon()
  if (!process.execve || !process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) return
  process.emit('exit', code)
  process.execve('/bin/sh', ['sh', '-c', `exit ${code}`])
}

/** A packaged binary has neither Node nor a script before its arguments. */
function launcher(): readonly string[] {
  const [script = ''] = process.argv.slice(1)
  return script === process.execPath || script === '' ? [process.execPath] : [process.execPath, script]
}

async function spin(text: string): Promise<() => void> {
  // Without a known width the spinner would fill the terminal with lines.
  if (!process.stderr.isTTY || !process.stderr.columns) return () => {}
  const { default: ora } = await import('ora')
  // The spinner must not take Ctrl-C from our own signal handling.
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  return () => void spinner.stop()
}

async function ask(
  { message, choices, default: preset, isSecret, isOptional = false }: Question,
  signal: AbortSignal,
): Promise<string> {
  const { input, password, select } = await import('@inquirer/prompts')
  if (isSecret) return password({ message, mask: true }, { signal })
  if (choices) return select({ message, choices, ...(preset ? { default: preset } : {}) }, { signal })
  return input({ message, required: !isOptional, ...(preset ? { default: preset } : {}) }, { signal })
}
