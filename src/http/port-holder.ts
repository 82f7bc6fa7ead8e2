import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { outputOf } from './output-of.ts'

export interface Holder {
  pid: number
  name?: string | undefined
}

/** Finds the process that listens on a TCP port; undefined if the system does not show it. */
export async function holderOf(port: number): Promise<Holder | undefined> {
  try {
    if (process.platform === 'linux') return await fromProc(port)
    if (process.platform === 'win32') return fromNetstat(await outputOf('netstat', ['-ano', '-p', 'TCP']), port)
    return fromLsof(await outputOf('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']))
  } catch {
    return undefined
  }
}

const LISTENING = '0A'

/** Slim containers have neither ss nor lsof; the kernel has the same facts in /proc. */
async function fromProc(port: number): Promise<Holder | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = tables.flatMap((table) => table.split('\n')).map((line) => line.trim().split(/\s+/))
  const sockets = new Set(
    rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTENING).map((row) => `socket:[${row[9]}]`),
  )
  if (sockets.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    if (await holds(pid, sockets)) return { pid: Number(pid), name: await nameOf(pid) }
  return undefined
}

/** The command line up to its script; the kernel's short name of a Node process is only "node". */
async function nameOf(pid: string): Promise<string> {
  const [program = '', script = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  return [basename(program), script.startsWith('-') ? '' : basename(script)].filter(Boolean).join(' ')
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  // The kernel hides processes of other users.
  const files = await readdir(folder).catch(() => [])
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')))
  return targets.some((target) => sockets.has(target))
}

function fromLsof(text: string): Holder | undefined {
  const pid = /^p(\d+)$/m.exec(text)?.[1]
  return pid ? { pid: Number(pid), name: /^c(.+)$/m.exec(text)?.[1] } : undefined
}

function fromNetstat(text: string, port: number): Holder | undefined {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/))
  // netstat translates the word LISTENING; a listening row has port 0 as its peer.
  const row = rows.find(
    ([protocol, local, peer]) => protocol === 'TCP' && local?.endsWith(`:${port}`) && peer?.endsWith(':0'),
  )
  return row ? { pid: Number(row.at(-1)) } : undefined
}
