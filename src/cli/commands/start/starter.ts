import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { sleep } from '../../../http/sleep.ts'
import type { Io } from '../../process/io.ts'
import { isAlive } from '../../target/running.ts'

const LOOK_EVERY_MS = 250
const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'fish', 'busybox', 'cmd.exe'])

/**
 * The program that started us through npm, npx or their like, which we end with: they run us by a shell, and a signal that
 * ends them does not always reach what that shell has started. `gone` where it has ended already, undefined where somebody
 * else has started us.
 */
export async function findStarter({ env }: Pick<Io, 'env'>): Promise<number | 'gone' | undefined> {
  return env.npm_execpath || env.npm_config_user_agent ? nearest(process.ppid) : undefined
}

/** Resolves when the starter is gone; never where there is none. */
export async function starterEnded(starter: number | 'gone' | undefined, signal: AbortSignal): Promise<void> {
  if (starter === undefined) return new Promise(() => {})
  while (starter !== 'gone' && isAlive(starter)) await sleep(LOOK_EVERY_MS, signal)
}

interface Ancestor {
  name: string
  parent: number
}

/** The nearest ancestor that is no shell. */
async function nearest(pid: number): Promise<number | 'gone'> {
  const found = await ancestor(pid).catch(() => undefined)
  if (found && (SHELLS.has(found.name.replace(/^-/, '')) || isWrapper(pid)) && pid > 1) return nearest(found.parent)
  // Orphans are given to the first process; in a container that may be npm itself.
  return pid > 1 || /^(node|MainThread|npm|npx|pnpm|yarn|bun)/.test(found?.name ?? '') ? pid : 'gone'
}

/** An older Node has started us in its place, and ends with us. */
const isWrapper = (pid: number) => process.env.SANDBOX_PINNED_NODE !== undefined && pid === process.ppid

async function ancestor(pid: number): Promise<Ancestor | undefined> {
  if (process.platform === 'win32') return undefined
  if (process.platform === 'linux') {
    // The name may hold brackets and blanks itself.
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))!
    return { name: name!, parent: Number(parent) }
  }
  const [parent = '', ...command] = (await ps(pid)).trim().split(/\s+/)
  return { name: basename(command.join(' ')), parent: Number(parent) }
}

const ps = (pid: number): Promise<string> =>
  new Promise((resolve, reject) =>
    execFile('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { timeout: 2_000 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )
