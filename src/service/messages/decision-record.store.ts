import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE networks (id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE holdups (
  message_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (message_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE user_actions (
  message_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (message_id, trigger)
) STRICT, WITHOUT ROWID;
`

export interface Holdup {
  reason: string
  first_at: number
  last_at: number
  times: number
}

interface Version {
  profile: object
  id: number
}

export function decisionRecordStore(db: Database) {
  // The update changes nothing; without it RETURNING would not return an existing row.
  const keep = db.value<number, [string]>(
    'INSERT INTO networks (facts) VALUES (?) ON CONFLICT (facts) DO UPDATE SET facts = excluded.facts RETURNING id',
  )
  const get = db.value<string, [number]>('SELECT facts FROM networks WHERE id = ?')
  const forgetHoldups = db.run('DELETE FROM holdups')
  const forgetUserActions = db.run('DELETE FROM user_actions')
  const forgetHoldupsOf = db.run<[string]>('DELETE FROM holdups WHERE message_id = ?')
  const forgetUserActionsOf = db.run<[string]>('DELETE FROM user_actions WHERE message_id = ?')
  const userActions = db.all<{ trigger: string; at: number }, [string]>(
    'SELECT trigger, at FROM user_actions WHERE message_id = ?',
  )
  const versions = db.cached((_name: string): Version | undefined => undefined)
  return {
    /**
     * Returns the number of a network as it is now; the same facts have one number. A profile that has changed is another
     * object, so the same object is the same version.
     */
    versionOf(name: string, profile: object, facts: () => object): number {
      const version = versions.get(name)
      if (version?.profile === profile) return version.id
      const id = keep(JSON.stringify(facts()))!
      versions.set({ profile, id }, name)
      return id
    },
    get: (id: number) => JSON.parse(get(id)!),
    holdUp: db.run<[{ message_id: string; reason: string; at: number }]>(
      `INSERT INTO holdups (message_id, reason, first_at, last_at, times) VALUES (:message_id, :reason, :at, :at, 1)
       ON CONFLICT (message_id, reason) DO UPDATE SET last_at = excluded.last_at, times = times + 1`,
    ),
    /** Deletes the records of all messages. The versions of the network stay. */
    forgetMessages() {
      forgetHoldups()
      forgetUserActions()
    },
    forgetMessage(messageId: string) {
      forgetHoldupsOf(messageId)
      forgetUserActionsOf(messageId)
    },
    /**
     * Records that a step was taken through the control plane and not by plan. As with stamps, the first of several
     * openings or clicks is the one that counts.
     */
    recordUserAction: db.run<[messageId: string, trigger: string, at: number]>(
      'INSERT INTO user_actions (message_id, trigger, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    userActions: (messageId: string) => new Map(userActions(messageId).map(({ trigger, at }) => [trigger, at])),
    holdups: db.all<Holdup, [messageId: string]>(
      'SELECT reason, first_at, last_at, times FROM holdups WHERE message_id = ? ORDER BY first_at, reason',
    ),
  }
}
