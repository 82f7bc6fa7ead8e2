import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { BIN } from '../paths.ts'
import { NOWHERE } from './terminal.ts'

/** True where `script` is that of util-linux, because others take different arguments. */
export const hasPseudoTerminal = process.platform === 'linux'

interface AtTerminal {
  /** All that the terminal shows, without colours. */
  text(): string
  press(keys: string): void
  /** Resolves once it shows this text after the previous one. */
  until(what: string): Promise<void>
  ended: Promise<number | null>
}

/** Runs the command at a simulated terminal, and then a shell. */
export function atTerminal(
  argv: readonly string[],
  env: Record<string, string>,
  then = 'true',
  cwd: string = NOWHERE,
): AtTerminal {
  const line = [process.execPath, BIN, ...argv].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qfec', `${line}; code=$?; ${then}; exit $code`, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '200', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  let seen = 0
  const looks = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    shown += chunk
    for (const look of looks) look()
  })
  return {
    text: () => shown,
    press: (keys) => void child.stdin.write(keys),
    until: (what) =>
      new Promise((resolve) => {
        const look = () => {
          const at = shown.indexOf(what, seen)
          if (at < 0) return
          seen = at + what.length
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}
