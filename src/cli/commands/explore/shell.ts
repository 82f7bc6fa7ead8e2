import { type ChildProcess, spawn } from 'node:child_process'
import { Limit } from '../../../http/limit.ts'
import { EXIT, Fault } from '../../process/exit.ts'

type Env = Readonly<Record<string, string | undefined>>

const MAX_STDERR_CHARACTERS = 2_000

/** Starts a process group, so that its descendants can be killed too. */
function spawnShell(line: string, cwd: string, env: Env, stdio: 'pipe' | 'ignore'): ChildProcess {
  return spawn(line, {
    cwd,
    env: { ...env },
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', stdio, 'pipe'],
  })
}

interface Surroundings {
  cwd: string
  env: Env
  signal: AbortSignal
}

/** Longest run of a command that is waited for, as for a probe by URL. */
const COMMAND_MS = 30_000

/** Runs a shell command to its end and returns its output. One that does not end is killed. */
export async function runLine(line: string, { cwd, env, signal }: Surroundings): Promise<string> {
  const child = spawnShell(line, cwd, env, 'pipe')
  const limit = new Limit(COMMAND_MS, signal)
  limit.signal.addEventListener('abort', () => kill(child))
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    err = (err + chunk).slice(-MAX_STDERR_CHARACTERS)
  })
  const code = await endOf(child)
  limit.end()
  signal.throwIfAborted()
  if (code === 0) return out
  const how = limit.signal.aborted ? `did not end within ${COMMAND_MS / 1000} s` : `ended with ${code ?? 'a signal'}`
  throw new Fault(`The command "${line}" ${how}.`, {
    code: 'command_failed',
    exit: EXIT.configuration,
    hint: err.trim() || undefined,
  })
}

const endOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code) => resolve(code))
  })

export interface Background {
  stop(): Promise<void>
  /** Its stderr, once it has ended; undefined before. */
  failureText(): string | undefined
}

/** Starts a shell command in the background. */
export function startLine(line: string, cwd: string, env: Env): Background {
  const child = spawnShell(line, cwd, env, 'ignore')
  let err = ''
  let isOver = false
  child.stderr!.on('data', (chunk) => {
    err = (err + chunk).slice(-MAX_STDERR_CHARACTERS)
  })
  // A second Ctrl-C ends this process at once, and would leave the command behind.
  const killNow = () => kill(child)
  process.once('exit', killNow)
  const ended = endOf(child).then(() => {
    isOver = true
    process.off('exit', killNow)
  })
  return {
    failureText: () => (isOver ? err.trim() : undefined),
    async stop() {
      if (!isOver) kill(child)
      await ended
    },
  }
}

function kill(child: ChildProcess) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid!, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
