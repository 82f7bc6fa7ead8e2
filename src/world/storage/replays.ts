import { hash } from 'node:crypto'
import { HOUR } from '../../words/milliseconds.ts'
import { problem } from '../../words/problem.ts'
import { ANY_UUID } from '../../words/uuid.ts'
import type { World } from '../world.ts'
import type { Database } from './database.ts'

/** Lifetime of an idempotency key in world time. */
const REPLAY_WINDOW_MS = 24 * HOUR

export const replaysSchema = `
CREATE TABLE replays (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`

interface Replay {
  seq: number
  request: string
  status: number
  answer: string
  created_at: number
}

function replayStore(db: Database) {
  const forget = db.run<[string, string]>("DELETE FROM replays WHERE key >= ? || ' ' AND key < ? || '!'")
  return {
    forget: (scope: string) => forget(scope, scope),
    find: db.one<Replay, [key: string]>('SELECT seq, request, status, answer, created_at FROM replays WHERE key = ?'),
    insert: db.run<[Omit<Replay, 'seq'> & { key: string }]>(
      'INSERT INTO replays (key, request, status, answer, created_at) VALUES (:key, :request, :status, :answer, :created_at)',
    ),
    remove: db.run<[seq: number]>('DELETE FROM replays WHERE seq = ?'),
    /** Deletes two expired rows for each new one; rows are in order of time, so the table cannot grow without limit. */
    sweep: db.run<[before: number]>(
      'DELETE FROM replays WHERE seq IN (SELECT seq FROM replays ORDER BY seq LIMIT 2) AND created_at <= ?',
    ),
  }
}

/** The key of an operation with its path parameters. UUIDs ignore case (RFC 9562 §4). */
export const replayKey = (operation: string, params: readonly string[], key: string): string =>
  `${[operation, ...params].join(' ')} ${sameKey(key)}`

export const sameKey = (key: string): string => (ANY_UUID.test(key) ? key.toLowerCase() : key)

/**
 * Executes a request once for its key and stores the answer as text. For 24 hours, the same request gets the stored
 * answer, and a different request is refused.
 */
export function answerOnce<A extends { status: number; body: unknown }>(
  world: World,
  key: string,
  body: unknown,
  perform: () => A,
): A | Pick<Replay, 'status' | 'answer'> {
  const store = world.store(replayStore)
  const created_at = world.now()
  const earlier = store.find(key)
  if (earlier && earlier.created_at > created_at - REPLAY_WINDOW_MS) {
    if (earlier.request !== fingerprint(body)) throw problem('idempotency_key_reused')
    return earlier
  }
  const done = perform()
  if (earlier) store.remove(earlier.seq)
  store.insert({ key, request: fingerprint(body), status: done.status, answer: done.body as string, created_at })
  store.sweep(created_at - REPLAY_WINDOW_MS)
  return done
}

/** Forgets the answers of these operations. */
export function forgetAnswers(world: World, operations: readonly string[]) {
  for (const id of operations) world.store(replayStore).forget(id)
}

/** A hash of a body that ignores the order of fields and the place of the key. */
function fingerprint(body: unknown): string {
  const { idempotency_key: _, ...rest } = (body ?? {}) as Record<string, unknown>
  return hash('sha256', JSON.stringify(sorted(rest)), 'hex')
}

/** Accepted bodies never nest deeper. */
const MAX_DEPTH = 64

function sorted(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value
  if (depth > MAX_DEPTH) throw problem('idempotency_key_reused')
  if (Array.isArray(value)) return value.map((inner) => sorted(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner, depth + 1)]),
  )
}
