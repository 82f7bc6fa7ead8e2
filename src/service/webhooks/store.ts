import { isSubscribed } from '../../words/event-patterns.ts'
import type { Window } from '../../words/page.ts'
import type { Database } from '../../world/storage/database.ts'

export const endpointTables = `
CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
`

export interface EndpointRow {
  seq: number
  id: string
  url: string
  /** JSON array of names, families or `*`. */
  events: string
  secret: string
  description: string | null
  created_at: number
  updated_at: number
}

export interface Subscription {
  /** The id of the endpoint. */
  id: string
  events: string[]
}

export const subscribersAmong = (subscriptions: readonly Subscription[], event: string): string[] =>
  subscriptions.filter(({ events }) => isSubscribed(events, event)).map(({ id }) => id)

export function endpointStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO webhooks (id, url, events, secret, description, created_at, updated_at)
     VALUES (:id, :url, :events, :secret, :description, :created_at, :updated_at)`,
  )
  const get = db.prepare<EndpointRow>('SELECT * FROM webhooks WHERE id = ?')
  const all = db.prepare<Pick<EndpointRow, 'id' | 'events'>>('SELECT id, events FROM webhooks ORDER BY seq')
  const allEndpoints = db.prepare<EndpointRow>('SELECT * FROM webhooks ORDER BY seq')
  const page = db.prepare<EndpointRow>(
    `SELECT * FROM webhooks WHERE seq < coalesce(:beyond, 9e15) ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
  )
  const update = db.prepare(
    `UPDATE webhooks SET url = :url, events = :events, secret = :secret, description = :description,
       updated_at = :updated_at
     WHERE id = :id`,
  )
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ?')
  const subscriptions = db.cached((): Subscription[] =>
    all.all().map(({ id, events }) => ({ id, events: JSON.parse(events) })),
  )
  const endpoints = db.cached((id: string) => get.get(id))
  const changed = () => {
    subscriptions.invalidate()
    endpoints.invalidate()
  }
  return {
    insert(row: Omit<EndpointRow, 'seq'>) {
      insert.run({ ...row })
      changed()
    },
    /** Cached, because every attempt needs its endpoint. */
    get: (id: string): Readonly<EndpointRow> | undefined => endpoints.get(id),
    /** Subscriptions; cached, because every event needs them. */
    subscriptions: () => subscriptions.get(),
    whole: () => allEndpoints.all(),
    page: (window: Window) => page.all({ ...window }),
    update({ seq: _seq, created_at: _created, ...row }: EndpointRow) {
      update.run(row)
      changed()
    },
    remove(id: string) {
      remove.run(id)
      changed()
    },
  }
}
