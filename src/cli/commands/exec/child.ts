import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isOutOfFiles } from '../../../words/out-of-files.ts'
import { shortened } from '../../../words/shortened.ts'
import { EXIT, type ExitCode, Fault, Interrupted } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'

/** Runs a command with our stdin, stdout and stderr; returns its exit code as shells report it. */
export async function runCommand(
  io: Io,
  [program = '', ...args]: string[],
  env: Record<string, string>,
): Promise<ExitCode> {
  // A signal that arrived while the sandbox started would never reach the command.
  if (io.signal.aborted) throw new Interrupted()
  // A process group can be killed whole, but may not read from the terminal.
  const isGroup = process.platform !== 'win32' && io.stdin.isTTY !== true
  const child = spawnOf(program, args, {
    cwd: io.cwd,
    env: { ...io.env, ...env },
    stdio: 'inherit',
    detached: isGroup,
    // On Windows npm is a script that needs a shell.
    shell: process.platform === 'win32',
  })
  const end = () => void (isGroup && signalTo(child, 'SIGKILL', isGroup))
  const pass = () => {
    // A terminal sends Ctrl-C to the whole foreground group, so the child has already received it.
    if (isGroup || io.signal.reason !== 'SIGINT')
      signalTo(child, io.signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM', isGroup)
  }
  const killNow = () => signalTo(child, 'SIGKILL', isGroup)
  process.on('exit', killNow)
  io.signal.addEventListener('abort', pass, { once: true })
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(unrunnable(program, error)))
      child.once('exit', (code, signal) => resolve((code ?? 128 + constants.signals[signal!]) as ExitCode))
    })
  } finally {
    end()
    process.off('exit', killNow)
    io.signal.removeEventListener('abort', pass)
  }
}

/** Node reports some failures by an event, and throws the others. */
function spawnOf(program: string, args: string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (error) {
    throw unrunnable(program, error as NodeJS.ErrnoException)
  }
}

/** Ignores a child that has ended already. */
function signalTo(child: ChildProcess, signal: NodeJS.Signals, isGroup: boolean) {
  if (child.pid === undefined) return
  try {
    process.kill(isGroup ? -child.pid : child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function unrunnable(program: string, error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT')
    return new Fault(`Command not found: ${program}.`, {
      code: 'command_not_found',
      exit: EXIT.commandNotFound,
      hint: 'Write it after -- as you would on the command line.',
    })
  if (error.syscall === undefined || isOutOfFiles(error)) return error
  const why = error.code === 'EACCES' ? '' : `: ${error.code}`
  return new Fault(`${shortened(program, 80)} cannot be executed${why}.`, {
    code: 'cannot_execute',
    exit: EXIT.cannotExecute,
  })
}
