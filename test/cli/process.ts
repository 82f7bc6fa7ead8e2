import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { BIN } from '../paths.ts'
import { CACHES, NOWHERE } from './terminal.ts'

export interface Running {
  child: ChildProcess
  /** The nth line of stdout as JSON, once it is there. */
  line(n: number): Promise<Record<string, unknown>>
  stdout(): string
  stderr(): string
  /** The exit code, once the process has ended. */
  ended: Promise<number | null>
}

/** The command as a shell starts it, with no terminal. It does not outlive the test. */
export function startCommand(
  argv: readonly string[],
  {
    cwd = NOWHERE,
    env = {},
    node = process.execPath,
    bin = BIN,
    uid,
  }: { cwd?: string; env?: Record<string, string | undefined>; node?: string; bin?: string; uid?: number } = {},
): Running {
  const child = spawn(node, [bin, ...argv], {
    cwd,
    uid,
    env: { ...process.env, XDG_CACHE_HOME: CACHES, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  const looks = new Set<() => void>()
  const heard = () => {
    for (const look of looks) look()
  }
  child.stdout!.on('data', (chunk) => {
    out += chunk
    heard()
  })
  child.stderr!.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    heard()
    return code as number | null
  })
  return {
    child,
    ended,
    stdout: () => out,
    stderr: () => err,
    line: (n) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const whole = out.split('\n').slice(0, -1)
          if (whole.length >= n) resolve(JSON.parse(whole[n - 1]!))
          else if (child.exitCode !== null) reject(new Error(`ended with ${child.exitCode}: ${err}`))
          else return
          looks.delete(look)
        }
        looks.add(look)
        look()
      }),
  }
}
