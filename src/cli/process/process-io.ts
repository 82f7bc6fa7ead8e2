import { sinceProcessStart } from '../../http/stopwatch.ts'
import { EXIT } from './exit.ts'
import type { Io, Question, StopReason } from './io.ts'
import { keysOf } from './keys.ts'
import { programName } from './program-name.ts'

/** One press of Ctrl-C can arrive twice: from the terminal, and from npx or our own parent that passes it on. */
const DOUBLE_SIGNAL_MS = 500

/** The process as commands see it. A second signal ends it at once. */
export function processIo(): Io {
  const stop = new AbortController()
  let stoppedAt: number | undefined
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    const now = sinceProcessStart()
    if (stoppedAt === undefined) {
      stoppedAt = now
      stop.abort(signal satisfies StopReason)
    } else if (now - stoppedAt > DOUBLE_SIGNAL_MS) endNow()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') stop.abort('EPIPE' satisfies StopReason)
    else failWrite(error)
  })
  process.stderr.on('error', () => {})
  const cwd = workingFolder()
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    cwd,
    program: programName(process, cwd),
    keys: process.stdin.isTTY ? keysOf(process.stdin) : undefined,
    launcher: launcher(),
    signal: stop.signal,
    ask: (question) => ask(question, stop.signal),
    spin,
  }
}

/**
 * Ends the process whatever is under way. An exit would wait for what reads a file, which may be a pipe that nobody writes
 * to; a signal that nobody takes does not, and shells know it as 130 too.
 */
export function endNow() {
  if (process.platform !== 'win32' && process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) {
    process.removeAllListeners('SIGINT')
    process.kill(process.pid, 'SIGINT')
  }
  process.exit(EXIT.interrupted)
}

/** A binary of its own stands where Node and the script do elsewhere. */
function launcher(): readonly string[] {
  const [script = ''] = process.argv.slice(1)
  return script === process.execPath || script === '' ? [process.execPath] : [process.execPath, script]
}

/** Where a removed folder was, as the shell has it: most commands need none, and others say what they do not find there. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}

/** A full disk, say: what the command found out can be given to nobody, so it must not end as if it were. */
function failWrite({ message }: Error) {
  const failure = { error: 'usage', message: `stdout cannot be written: ${message}.`, exit_code: EXIT.usage }
  process.stderr.write(`${JSON.stringify(failure)}\n`)
  process.exit(EXIT.usage)
}

async function spin(text: string): Promise<() => void> {
  // A terminal that does not know its width would be drawn over without end.
  if (!process.stderr.isTTY || !process.stderr.columns) return () => {}
  const { default: ora } = await import('ora')
  // Ctrl-C stays ours.
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
