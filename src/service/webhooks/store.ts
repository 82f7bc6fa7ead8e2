import { isSubscribed } from '../../words/event-patterns.ts'
import { NEWEST_FIRST, type Window } from '../../words/page.ts'
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
  const get = db.one<EndpointRow, [string]>('SELECT * FROM webhooks WHERE id = ?')
  const all = db.all<Pick<EndpointRow, 'id' | 'events'>>('SELECT id, events FROM webhooks ORDER BY seq')
  // Every event needs the subscriptions, every attempt its endpoint.
  const subscriptions = db.cached((): Subscription[] =>
    all().map(({ id, events }) => ({ id, events: JSON.parse(events) })),
  )
  const endpoints = db.cached((id: string) => get(id))
  const cached = [subscriptions, endpoints]
  return {
    insert: db.insert<Omit<EndpointRow, 'seq'>>('webhooks', ...cached),
    get: (id: string): Readonly<EndpointRow> | undefined => endpoints.get(id),
    subscriptions: () => subscriptions.get(),
    whole: db.all<EndpointRow>('SELECT * FROM webhooks ORDER BY seq'),
    page: db.all<EndpointRow, [Window]>(`SELECT * FROM webhooks WHERE TRUE ${NEWEST_FIRST}`),
    update: db.update<EndpointRow>('webhooks', 'seq = :seq', ...cached),
    remove: db.run<[id: string]>('DELETE FROM webhooks WHERE id = ?', ...cached),
  }
}
