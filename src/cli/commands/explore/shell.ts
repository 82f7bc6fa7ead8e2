import { type ChildProcess, spawn } from 'node:child_process'
import { EXIT, Fault } from '../../process/exit.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How much of what a command says is kept. */
const KEPT = 2_000

/** In a process group of its own, so that all of it can be ended. */
function begin(line: string, cwd: string, env: Env, stdio: 'pipe' | 'ignore'): ChildProcess {
  return spawn(line, {
    cwd,
    env: { ...env },
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', stdio, 'pipe'],
  })
}

/** Runs a line of shell to its end, and tells what it printed. */
export async function runLine(line: string, cwd: string, env: Env): Promise<string> {
  const child = begin(line, cwd, env, 'pipe')
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    err = (err + chunk).slice(-KEPT)
  })
  const code = await endOf(child)
  if (code === 0) return out
  throw new Fault(`The command "${line}" ended with ${code ?? 'a signal'}.`, {
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

export interface Service {
  stop(): Promise<void>
  /** What it has said on stderr, when it is over. */
  said(): string | undefined
}

/** Starts a line of shell that is to go on. */
export function startLine(line: string, cwd: string, env: Env): Service {
  const child = begin(line, cwd, env, 'ignore')
  let err = ''
  let isOver = false
  child.stderr!.on('data', (chunk) => {
    err = (err + chunk).slice(-KEPT)
  })
  const ended = endOf(child).then(() => {
    isOver = true
  })
  return {
    said: () => (isOver ? err.trim() : undefined),
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
