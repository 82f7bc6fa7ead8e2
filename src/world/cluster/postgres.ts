import { Socket } from 'node:net'
import type { Client } from 'pg'
import { Problem } from '../../words/problem.ts'
import { after, machineMs } from '../machine-time.ts'

/** PostgreSQL cannot be used for now: unreachable, read-only, restarting, or without an answer in time. */
export class PostgresUnavailable extends Error {
  /** The message for callers, who need not know the address of PostgreSQL. */
  readonly reason: string

  constructor(why: string, reason = why) {
    super(why)
    this.name = 'PostgresUnavailable'
    this.reason = reason
  }
}

/** PostgreSQL cannot be used until its configuration changes. The start fails; a running node waits for it. */
export class PostgresUnsuitable extends PostgresUnavailable {
  constructor(why: string) {
    super(why, 'it refuses this node')
    this.name = 'PostgresUnsuitable'
  }
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** The rows that the statement has changed or read. */
  readonly count: number
  /**
   * PostgreSQL reported nothing beside the result. A commit whose wait for the standby was cancelled succeeds with a
   * warning, in whatever language the server has, so any notice counts as one.
   */
  readonly isConfirmed: boolean
}

export interface QueryOptions {
  /** Prepares the statement once for each connection under this name. */
  name?: string
  timeoutMs?: number
}

/** PostgreSQL 14 is the oldest release that its developers maintain. */
const OLDEST_VERSION = 140_000
const CONNECT_MS = 2_000
const QUERY_MS = 5_000
/** The slowest network or disk that is waited for takes this many bytes in a ms. */
const SLOWEST_BYTES_PER_MS = 1_000
const END_MS = 500

/**
 * A wait for a lock ends with an error after 2 s, so that a repeated statement does not queue behind one that is lost.
 * The server may have a weaker default for commits than what was promised to callers. A node that is cut off must not
 * keep the locks of its transaction.
 */
const SESSION = `SET lock_timeout = '2s'; SET synchronous_commit = 'on'; SET client_min_messages = 'warning';
SET idle_in_transaction_session_timeout = '5s';
SELECT current_setting('fsync')::bool AND current_setting('full_page_writes')::bool AS is_durable,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS read_only,
       current_setting('server_version_num')::int AS version`

interface SessionRow {
  readonly read_only: boolean
  readonly version: number
  readonly is_durable: boolean
}

interface Lane {
  readonly client: Client
  readonly socket: Socket
  notices: number
  isBroken: boolean
}

/**
 * Connections to the primary of a PostgreSQL. The URL may list several hosts, of which one accepts writes:
 * `postgres://user:password@a:5432,b:5432/database`.
 */
export class Postgres {
  readonly #urls: readonly string[]
  readonly #most: number
  readonly #idle: Lane[] = []
  readonly #waiting: ((lane: Lane | undefined) => void)[] = []
  #open = 0
  /** False if a server was seen whose commits do not survive a power cut. */
  isDurable = true
  #isClosed = false

  constructor(url: string, { connections = 8 }: { connections?: number } = {}) {
    this.#urls = hostsOf(url)
    this.#most = connections
  }

  query<Row = unknown>(
    text: string,
    values: readonly unknown[] = [],
    { name, timeoutMs = QUERY_MS }: QueryOptions = {},
  ): Promise<QueryResult<Row>> {
    return this.#using(timeoutMs + timeFor(values), (lane) => run<Row>(lane, text, values, name))
  }

  /** Runs statements as one transaction on one connection. */
  transaction<T>(work: (query: Postgres['query']) => Promise<T>, timeoutMs = 6 * QUERY_MS): Promise<T> {
    return this.#using(timeoutMs, async (lane) => {
      const query: Postgres['query'] = (text, values = []) => run(lane, text, values)
      await query('BEGIN')
      try {
        const result = await work(query)
        const { isConfirmed } = await query('COMMIT')
        if (!isConfirmed) throw new PostgresUnavailable('PostgreSQL stopped waiting for its standby')
        return result
      } catch (error) {
        // A connection in an unknown state is closed, which rolls back too.
        if (!lane.isBroken) await query('ROLLBACK').catch(() => breakLane(lane))
        throw error
      }
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const give of this.#waiting.splice(0)) give(undefined)
    await Promise.all(this.#idle.splice(0).map(endLane))
  }

  async #using<T>(timeoutMs: number, work: (lane: Lane) => Promise<T>): Promise<T> {
    const until = machineMs() + timeoutMs
    const lane = await this.#take(timeoutMs)
    const limit = breakAfter(lane, Math.max(1, until - machineMs()))
    try {
      return await work(lane)
    } catch (error) {
      if (limit.isOver) throw new PostgresUnavailable(`PostgreSQL has not answered for ${timeoutMs} ms`)
      throw translated(error, lane)
    } finally {
      limit.cancel()
      this.#giveBack(lane)
    }
  }

  async #take(timeoutMs: number): Promise<Lane> {
    if (this.#isClosed) throw new PostgresUnavailable('the connection to PostgreSQL is closed')
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#open >= this.#most) {
      const lane = await this.#wait(timeoutMs)
      if (lane) return lane
      if (this.#isClosed) throw new PostgresUnavailable('the connection to PostgreSQL is closed')
      if (this.#open >= this.#most) throw new PostgresUnavailable('all connections to PostgreSQL wait for it')
    }
    this.#open++
    try {
      return await this.#connect()
    } catch (error) {
      this.#open--
      this.#waiting.shift()?.(undefined)
      throw error
    }
  }

  #wait(timeoutMs: number): Promise<Lane | undefined> {
    return new Promise((resolve) => {
      const give = (lane: Lane | undefined) => {
        cancel()
        resolve(lane)
      }
      const cancel = after(timeoutMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1)
        resolve(undefined)
      })
      this.#waiting.push(give)
    })
  }

  #giveBack(lane: Lane) {
    if (lane.isBroken || this.#isClosed) {
      this.#open--
      if (!lane.isBroken) void endLane(lane)
      // The next caller in line opens its own connection.
      this.#waiting.shift()?.(undefined)
      return
    }
    const next = this.#waiting.shift()
    if (next) next(lane)
    else this.#idle.push(lane)
  }

  async #connect(): Promise<Lane> {
    let last: unknown
    for (const url of this.#urls)
      try {
        return await this.#connectTo(url)
      } catch (error) {
        // The reason that lasts is the one to report.
        if (!(last instanceof PostgresUnsuitable)) last = error
      }
    throw last
  }

  async #connectTo(url: string): Promise<Lane> {
    const { default: pg } = await import('pg')
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: url,
      application_name: 'messaging-sandbox',
      stream: () => socket,
      keepAlive: true,
    })
    // Numbers of 64 bits are counts and instants, all of them exact as a double.
    client.setTypeParser(pg.types.builtins.INT8, Number)
    const lane: Lane = { client, socket, notices: 0, isBroken: false }
    client.on('notice', () => lane.notices++)
    // Reported by the query in progress, or by the next one.
    client.on('error', () => this.#drop(lane))
    client.on('end', () => this.#drop(lane))
    const limit = breakAfter(lane, CONNECT_MS)
    try {
      await client.connect()
      const answers = (await client.query(SESSION)) as unknown as { rows: SessionRow[] }[]
      const { read_only, version, is_durable } = answers.at(-1)!.rows[0]!
      this.isDurable &&= is_durable
      if (version < OLDEST_VERSION)
        throw new PostgresUnsuitable(
          `PostgreSQL ${Math.floor(version / 10_000)} is too old; a cluster needs ${OLDEST_VERSION / 10_000} or later.`,
        )
      if (read_only) throw new PostgresUnavailable('PostgreSQL is read-only')
      return lane
    } catch (error) {
      breakLane(lane)
      if (limit.isOver)
        throw new PostgresUnavailable(
          `no answer from ${client.host}:${client.port} in ${CONNECT_MS} ms`,
          `no answer in ${CONNECT_MS} ms`,
        )
      throw translated(error, lane)
    } finally {
      limit.cancel()
    }
  }

  #drop(lane: Lane) {
    breakLane(lane)
    const at = this.#idle.indexOf(lane)
    if (at < 0) return
    this.#idle.splice(at, 1)
    this.#open--
  }
}

/** The time that large values may take, ms. */
const timeFor = (values: readonly unknown[]): number =>
  values.reduce<number>((ms, value) => ms + (Buffer.isBuffer(value) ? value.length : 0) / SLOWEST_BYTES_PER_MS, 0)

async function run<Row>(
  lane: Lane,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<QueryResult<Row>> {
  const before = lane.notices
  const { rows, rowCount } = await lane.client.query({ text, values: [...values], ...(name !== undefined && { name }) })
  return { rows: rows as Row[], count: rowCount ?? 0, isConfirmed: lane.notices === before }
}

/** Closes a connection, without waiting for a server that cannot be reached. */
async function endLane(lane: Lane) {
  const limit = breakAfter(lane, END_MS)
  await lane.client.end().catch(() => undefined)
  limit.cancel()
}

/** Breaks a connection after a time without any answer. The limit can be cancelled. */
function breakAfter(lane: Lane, ms: number) {
  const limit = { isOver: false, cancel: () => {} }
  const wait = () => {
    const { bytesRead } = lane.socket
    limit.cancel = after(ms, () => {
      // A large result takes its time.
      if (lane.socket.bytesRead > bytesRead) return wait()
      limit.isOver = true
      breakLane(lane)
    })
  }
  wait()
  return limit
}

function breakLane(lane: Lane) {
  lane.isBroken = true
  lane.socket.destroy()
}

/** One URL for each host of the list. */
function hostsOf(url: string): string[] {
  const [, before, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  if (hosts === undefined) throw new PostgresUnsuitable('The address of PostgreSQL must begin with postgres://.')
  return hosts.split(',').map((host) => before! + host + rest)
}

/**
 * Errors that mean "not now", by class or code: connection, resources, operator, the system below, read-only, a
 * transaction that was idle for too long, locks, serialisation.
 */
const PASSING = /^(08|53|57|58|25006|25P03|55P03|40)/
/** Errors of the login, of rights and of a database that takes no connections, which repeating does not change. */
const LASTING = /^(28|3D|42501|55000)/
/** A statement that was prepared on this connection is missing, or another one has its name. */
const POOLED = /^(26000|42P05)/
const POOLER =
  'PostgreSQL is behind a pooler in transaction mode, which mixes the settings and statements of connections. Connect to PostgreSQL itself, or set the pooler to session mode.'

function translated(error: unknown, lane: Lane): unknown {
  if (error instanceof PostgresUnavailable || error instanceof Problem) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (LASTING.test(code)) return new PostgresUnsuitable(`PostgreSQL refuses: ${message}.`)
  if (POOLED.test(code)) return new PostgresUnsuitable(POOLER)
  const isOfConnection =
    !/^[0-9A-Z]{5}$/.test(code) && (lane.isBroken || /connect|timeout|terminated|socket/i.test(message))
  if (PASSING.test(code)) {
    // A primary that was demoted, or a server that goes down: the next statement looks for the primary.
    breakLane(lane)
    return new PostgresUnavailable(message)
  }
  const isOfSystem = /^E[A-Z]+$/.test(code)
  if (!isOfConnection && !isOfSystem) return error
  breakLane(lane)
  return new PostgresUnavailable(message === '' ? code : message, isOfSystem ? code : message)
}
