import { join } from 'node:path'
import { problem } from '../../words/problem.ts'
import { machineNow } from '../machine-time.ts'
import { isDamage } from '../storage/damage.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { REGISTRY_FILE } from '../storage/lock.ts'
import { checkOwnDatabase, createOwnFile } from '../storage/own-files.ts'
import { Reserve } from '../storage/reserve.ts'
import { SchemaMismatch } from '../storage/schema.ts'
import type {
  AuditEntry,
  AuditQuery,
  CredentialKind,
  NewCredential,
  Tenant,
  TenantLimits,
  TenantRegistry,
} from './registry.ts'
import {
  AUDIT_SLACK,
  HOLDER_COLUMNS,
  type HolderRow,
  MAX_AUDIT,
  TENANT_COLUMNS,
  type TenantRow,
  toHolder,
  toTenant,
} from './rows.ts'

const VERSION = 1
const RESERVE_FILE = 'reserve'

const schema = `
CREATE TABLE tenants (
  namespace TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  messages INTEGER,
  storage_bytes INTEGER,
  sends_per_minute INTEGER
) STRICT;
CREATE TABLE credentials (
  digest BLOB PRIMARY KEY,
  namespace TEXT NOT NULL REFERENCES tenants,
  kind TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credentials_by_namespace ON credentials (namespace, kind, created_at);
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  namespace TEXT NOT NULL,
  operation TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER,
  request_id TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_namespace ON audit (namespace, seq);
PRAGMA user_version = ${VERSION};
`

const TENANT = `
SELECT ${TENANT_COLUMNS},
  (SELECT count(*) FROM credentials AS c WHERE c.namespace = t.namespace AND kind = 'key') AS keys,
  (SELECT count(*) FROM credentials AS c WHERE c.namespace = t.namespace AND kind = 'token') AS tokens
FROM tenants AS t WHERE (expires_at IS NULL OR expires_at > :now)`

/** The registry of one process: a file in the data folder, or in memory without one. */
export function sqliteRegistry(folder: string | undefined): TenantRegistry {
  const reserve = folder === undefined ? undefined : new Reserve(join(folder, RESERVE_FILE))
  reserve?.releaseIfFull()
  const db = folder === undefined ? openDatabase({ memory: true }) : openFile(join(folder, REGISTRY_FILE))
  if (folder === undefined) db.exec(schema)
  // A key that was printed, or revoked, must be so after a power cut too; the audit log may lose its last moments.
  const durably = <T>(write: () => T): T => (reserve ? reserve.during(() => atOnce(write)) : atOnce(write))
  const atOnce = <T>(write: () => T): T => {
    db.pragma('synchronous = FULL')
    try {
      db.begin()
      const result = write()
      db.commit()
      return result
    } catch (error) {
      if (db.inTransaction) db.rollback()
      throw error
    } finally {
      db.pragma('synchronous = NORMAL')
    }
  }
  const holder = db.one<HolderRow, [{ digest: Buffer; now: number }]>(
    `SELECT ${HOLDER_COLUMNS} FROM credentials AS c JOIN tenants AS t USING (namespace)
     WHERE c.digest = :digest AND (t.expires_at IS NULL OR t.expires_at > :now)`,
  )
  const all = db.all<TenantRow, [{ now: number }]>(`${TENANT} ORDER BY namespace`)
  const one = db.one<TenantRow, [{ now: number; namespace: string }]>(`${TENANT} AND namespace = :namespace`)
  const insert = db.run<[Pick<Tenant, 'namespace' | 'expiresAt'> & TenantLimits & { now: number }]>(
    `INSERT INTO tenants VALUES (:namespace, :now, :expiresAt, :messages, :storageBytes, :sendsPerMinute)
     ON CONFLICT DO NOTHING`,
  )
  const setLimits = db.run<[TenantLimits & { namespace: string }]>(
    `UPDATE tenants SET messages = :messages, storage_bytes = :storageBytes, sends_per_minute = :sendsPerMinute
     WHERE namespace = :namespace`,
  )
  const setExpiry = db.run<[number | null, string]>('UPDATE tenants SET expires_at = ? WHERE namespace = ?')
  const exists = db.value<1, [string]>('SELECT 1 FROM tenants WHERE namespace = ?')
  const insertCredential = db.run<[NewCredential & { namespace: string; now: number }]>(
    'INSERT INTO credentials VALUES (:digest, :namespace, :kind, :credentialId, :now)',
  )
  const revoke = db.run<[string, CredentialKind]>('DELETE FROM credentials WHERE namespace = ? AND kind = ?')
  const keepNewest = db.run<[{ namespace: string; kind: CredentialKind; keep: number }]>(
    `DELETE FROM credentials WHERE namespace = :namespace AND kind = :kind AND rowid NOT IN
     (SELECT rowid FROM credentials WHERE namespace = :namespace AND kind = :kind ORDER BY rowid DESC LIMIT :keep)`,
  )
  const removeCredentials = db.run<[string]>('DELETE FROM credentials WHERE namespace = ?')
  const removeTenant = db.run<[string]>('DELETE FROM tenants WHERE namespace = ?')
  const expired = db.values<string, [now: number]>(
    'SELECT namespace FROM tenants WHERE expires_at <= ? ORDER BY expires_at, namespace',
  )
  const next = db.value<number | null>('SELECT min(expires_at) FROM tenants')
  const append = db.run<[Omit<AuditEntry, 'seq'>]>(
    `INSERT INTO audit (at, actor, namespace, operation, method, path, status, request_id)
     VALUES (:at, :actor, :namespace, :operation, :method, :path, :status, :requestId)`,
  )
  const cut = db.run<[number]>('DELETE FROM audit WHERE seq <= (SELECT max(seq) FROM audit) - ?')
  const newest = (condition: string) =>
    db.all<AuditEntry, [AuditQuery]>(
      `SELECT * FROM (
         SELECT seq, at, actor, namespace, operation, method, path, status, request_id AS requestId FROM audit
         WHERE ${condition} AND seq > :after ORDER BY seq DESC LIMIT :limit)
       ORDER BY seq`,
    )
  const [entries, entriesOf] = [newest('TRUE'), newest('namespace = :namespace')]

  const listeners = new Set<(namespace: string) => void>()
  const changed = (namespace: string) => {
    for (const listener of listeners) listener(namespace)
  }
  let uncut = AUDIT_SLACK

  /** Carries out a change where the namespace exists. */
  const change = (namespace: string, write: () => void): boolean => {
    const isThere = durably(() => {
      if (!exists(namespace)) return false
      write()
      return true
    })
    if (isThere) changed(namespace)
    return isThere
  }

  const add = (namespace: string, credentials: readonly NewCredential[]) => {
    for (const credential of credentials) insertCredential({ ...credential, namespace, now: machineNow() })
  }

  return {
    now: async () => machineNow(),
    async find(digest) {
      const row = holder({ digest, now: machineNow() })
      return row && toHolder(row)
    },
    list: async () => all({ now: machineNow() }).map(toTenant),
    async get(namespace) {
      const row = one({ namespace, now: machineNow() })
      return row && toTenant(row)
    },
    async create({ namespace, expiresAt, limits }, credentials) {
      reserve?.fill()
      return atOnce(() => {
        if (insert({ namespace, now: machineNow(), expiresAt, ...limits }) === 0) return false
        add(namespace, credentials)
        return true
      })
    },
    update: async (namespace, { expiresAt, limits }) =>
      change(namespace, () => {
        if (expiresAt !== undefined) setExpiry(expiresAt, namespace)
        if (limits) setLimits({ namespace, ...limits })
      }),
    changeCredentials: async (namespace, { revoke: kinds, add: credentials, keep }) =>
      change(namespace, () => {
        for (const kind of kinds) revoke(namespace, kind)
        add(namespace, credentials)
        if (keep !== undefined) for (const kind of ['key', 'token'] as const) keepNewest({ namespace, kind, keep })
      }),
    async remove(namespace) {
      change(namespace, () => {
        removeCredentials(namespace)
        removeTenant(namespace)
      })
    },
    expired: async () => expired(machineNow()),
    nextExpiry: async () => next() ?? undefined,
    async record(entry) {
      append(entry)
      if (--uncut > 0) return
      uncut = AUDIT_SLACK
      cut(MAX_AUDIT)
    },
    audit: async (query) => (query.namespace === undefined ? entries(query) : entriesOf(query)),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      db.close()
    },
  }
}

function openFile(file: string): Database {
  checkOwnDatabase(file)
  createOwnFile(file)
  let db: Database | undefined
  try {
    db = openDatabase({ file })
    const version = Number(db.pragma('user_version'))
    if (version > VERSION) throw new SchemaMismatch(file, version, VERSION)
    if (version === 0) db.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
    db.whenDamaged(() => damaged(file))
    return db
  } catch (error) {
    db?.close()
    throw isDamage(error) ? damaged(file) : error
  }
}

const damaged = (file: string) =>
  problem(
    'world_damaged',
    `${file} is damaged, not a file of the sandbox, or on a disk that cannot be read. ` +
      'Stop the sandbox and put a copy of the file in its place.',
    { file },
  )
