import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isAlive } from '../../../http/is-alive.ts'
import { outputOf } from '../../../http/output-of.ts'
import { sleep } from '../../../http/sleep.ts'
import type { Io } from '../../process/io.ts'

const LOOK_EVERY_MS = 250
const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'fish', 'busybox', 'cmd.exe'])

/**
 * The program that started us through npm or npx, and with which we end: a signal to npm does not always reach what its
 * shell has started. `gone` where it has ended already, undefined for any other starter.
 */
export async function findStarter({ env }: Pick<Io, 'env'>): Promise<number | 'gone' | undefined> {
  return env.npm_execpath || env.npm_config_user_agent ? nearest(process.ppid) : undefined
}

/** Resolves when the starter has ended; never without one. */
export async function starterEnded(starter: number | 'gone' | undefined, signal: AbortSignal): Promise<void> {
  if (starter === undefined) return new Promise(() => {})
  while (starter !== 'gone' && isAlive(starter)) await sleep(LOOK_EVERY_MS, signal)
}

interface Ancestor {
  name: string
  parent: number
}

/** The nearest ancestor that is not a shell. */
async function nearest(pid: number): Promise<number | 'gone'> {
  const found = await ancestor(pid).catch(() => undefined)
  if (found && (SHELLS.has(found.name.replace(/^-/, '')) || isWrapper(pid)) && pid > 1) return nearest(found.parent)
  // Process 1 adopts orphans; in a container npm itself may be process 1.
  return pid > 1 || /^(node|MainThread|npm|npx|pnpm|yarn|bun)/.test(found?.name ?? '') ? pid : 'gone'
}

/** bin/sandbox.js under an older Node starts us and ends with us. */
const isWrapper = (pid: number) => process.env.SANDBOX_PINNED_NODE !== undefined && pid === process.ppid

async function ancestor(pid: number): Promise<Ancestor | undefined> {
  if (process.platform === 'win32') return undefined
  if (process.platform === 'linux') {
    // The name itself may hold brackets and blanks.
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))!
    return { name: name!, parent: Number(parent) }
  }
  const listed = await outputOf('ps', ['-o', 'ppid=,comm=', '-p', String(pid)])
  const [parent = '', ...command] = listed.trim().split(/\s+/)
  return { name: basename(command.join(' ')), parent: Number(parent) }
}
