import { type ChildProcess, spawn } from 'node:child_process'
import { Limit } from '../../../http/limit.ts'
import { spawned } from '../../../http/spawned.ts'
import { within } from '../../../http/within.ts'
import type { Command } from '../application.ts'
import { CommandFailed } from './failed.ts'

const MAX_STDERR_CHARACTERS = 20_000

/** Starts a process group, so that its descendants can be killed too. */
function spawnShell({ command, cwd, env }: Command, stdio: 'pipe' | 'ignore'): ChildProcess {
  const child = spawn(command, {
    cwd,
    env,
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', stdio, 'pipe'],
  })
  return spawned(child)
}

/** Longest run of a command that is waited for, as for a probe by URL. */
const COMMAND_MS = 30_000

/** Runs a shell command to its end and returns its output. One that does not end is killed. */
export async function runCommand(command: Command, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted()
  const child = spawnShell(command, 'pipe')
  const limit = new Limit(COMMAND_MS, signal)
  limit.signal.addEventListener('abort', () => kill(child))
  let out = ''
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  const stderr = lastLinesOf(child)
  const code = await endOf(child)
  limit.end()
  signal?.throwIfAborted()
  if (code === 0) return out
  const how = limit.signal.aborted ? `did not end within ${COMMAND_MS / 1000} s` : `ended with ${code ?? 'a signal'}`
  throw new CommandFailed('command_failed', `The command "${command.command}" ${how}.`, stderr())
}

const endOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code) => resolve(code))
  })

/** Time for an orderly end. */
const ORDERLY_MS = 2_000

export interface Background {
  /** Kills the process and its descendants; resolves when they have ended. */
  stop(): Promise<void>
  /** The same after SIGTERM and some time to end. Windows has no such signal. */
  terminate(): Promise<void>
  /** How it ended on its own, such as `exit status 1`; undefined while it runs, and after it was stopped. */
  ending(): string | undefined
  isRunning(): boolean
  /** The last lines of its stderr. */
  stderr(): string
}

/** Starts a shell command in the background. It ends with this process, even if that is killed. */
export function startCommand(command: Command, watchdog: Watchdog): Background {
  const child = spawnShell(command, 'ignore')
  watchdog.watch(child.pid)
  let ending: string | undefined
  let isStopped = false
  let isOver = false
  // A second Ctrl-C ends this process at once, and would leave the command behind.
  const killNow = () => kill(child)
  process.once('exit', killNow)
  child.once('exit', (code, signal) => {
    if (!isStopped) ending = code === null ? `signal ${signal}` : `exit status ${code}`
  })
  const end = endOf(child).then(() => {
    isOver = true
    process.off('exit', killNow)
  })
  const stop = async () => {
    isStopped = true
    // Its child processes may still run.
    kill(child)
    if (!isOver) await end
  }
  return {
    ending: () => ending,
    isRunning: () => ending === undefined && !isStopped,
    stderr: lastLinesOf(child),
    stop,
    async terminate() {
      isStopped = true
      kill(child, 'SIGTERM')
      await within(ORDERLY_MS, end)
      await stop()
    },
  }
}

const MAX_LINES = 8

/** Places in code, which Node and Java print behind the message of an error, and Node's own last line. */
const NOT_A_REASON = /^\s*(at .*|Node\.js v[\d.]+)?\r?$/

/** Returns a function that returns the last lines of its stderr. */
function lastLinesOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr!.on('data', (chunk) => {
    text = (text + chunk).slice(-MAX_STDERR_CHARACTERS)
  })
  const lines = () => text.split('\n').filter((line) => !NOT_A_REASON.test(line))
  return () => lines().slice(-MAX_LINES).join('\n')
}

function kill(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export interface Watchdog {
  /** Kills this process group when the explorer has ended. */
  watch(pid: number | undefined): void
  end(): void
}

/** Reads process groups from its standard input, and kills the last one when that is closed: even SIGKILL closes it. */
const WATCH = 'while read -r group; do last=$group; done; [ -z "$last" ] || kill -s KILL -- "-$last" 2>/dev/null'

/** Starts a process that outlives this one, and cleans up if this one is killed. */
export function startWatchdog(): Watchdog {
  if (process.platform === 'win32') return { watch: () => {}, end: () => {} }
  const child = spawned(spawn('/bin/sh', ['-c', WATCH], { stdio: ['pipe', 'ignore', 'ignore'], detached: true }))
  child.stdin.on('error', () => {})
  child.unref()
  return {
    watch: (pid) => void (pid === undefined || child.stdin.write(`${pid}\n`)),
    end: () => void child.stdin.end('\n'),
  }
}
