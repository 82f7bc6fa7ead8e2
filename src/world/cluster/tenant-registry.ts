import type { Fence } from '../fence.ts'
import { machineSecret } from '../machine-secret.ts'
import { after, machineMs } from '../machine-time.ts'
import type {
  AuditEntry,
  AuditQuery,
  CredentialChange,
  CredentialHolder,
  NewCredential,
  Tenant,
  TenantRegistry,
} from '../tenants/registry.ts'
import {
  AUDIT_SLACK,
  HOLDER_COLUMNS,
  type HolderRow,
  MAX_AUDIT,
  TENANT_COLUMNS,
  type TenantRow,
  toHolder,
  toTenant,
} from '../tenants/rows.ts'
import { type Postgres, PostgresUnavailable, type QueryOptions } from './postgres.ts'
import { S } from './store.ts'
import { elsewhere, isPassing, orRefuse } from './world-log.ts'

/** How often a node looks for changes of other nodes, ms. */
const POLL_MS = 300
/** How long after a look what was read before may be believed, ms. A revocation holds on every node after this time. */
const FRESH_MS = 800
/** How long the look for a credential may take, ms. */
const FIND_MS = 3_000
const MAX_REMEMBERED = 10_000
/** After which audit entries are written again that PostgreSQL did not take, ms. */
const WRITE_AGAIN_MS = 1_000
/** Entries appear in the order of their numbers, so that nobody who reads on misses one. */
const AUDIT_LOCK = 726_201_127

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
const TENANT = `SELECT ${TENANT_COLUMNS},
  (SELECT count(*) FROM ${S}.credentials AS c WHERE c.namespace = t.namespace AND kind = 'key') AS keys,
  (SELECT count(*) FROM ${S}.credentials AS c WHERE c.namespace = t.namespace AND kind = 'token') AS tokens
FROM ${S}.tenants AS t WHERE (expires_at IS NULL OR expires_at > ${NOW})`

type Query = Postgres['query']

interface Remembered {
  readonly holder: CredentialHolder | undefined
  /** The end of the namespace, by the monotonic clock. */
  readonly untilMs: number
}

/** Namespaces, credentials and the audit log of all nodes of a cluster. The clock is that of PostgreSQL. */
export class PostgresRegistry implements TenantRegistry {
  readonly #postgres: Postgres
  readonly #onFault: (error: unknown, doing: string) => void
  readonly #listeners = new Set<(namespace: string) => void>()
  /** By digest. Unknown credentials are remembered too. */
  readonly #remembered = new Map<string, Remembered>()
  /** When the last look for changes began, by the monotonic clock. */
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Number of the last change that this node has seen. */
  #version = 0
  /** Rises when something remembered may be wrong; an answer that was in progress then is not remembered. */
  #forgotten = 0
  #cancelPoll = () => {}
  #isClosed = false
  #unwritten: Omit<AuditEntry, 'seq'>[] = []
  /** Entries that are written. Their batch has a name, because PostgreSQL may have one that it did not confirm. */
  #unconfirmed: { batch: string; entries: Omit<AuditEntry, 'seq'>[] } | undefined
  #writing: Promise<void> | undefined
  #cancelWriting = () => {}
  #uncut = AUDIT_SLACK

  private constructor(postgres: Postgres, onFault: (error: unknown, doing: string) => void) {
    this.#postgres = postgres
    this.#onFault = onFault
  }

  static async open(postgres: Postgres, onFault: (error: unknown, doing: string) => void): Promise<PostgresRegistry> {
    const registry = new PostgresRegistry(postgres, onFault)
    const { rows } = await orRefuse(() =>
      postgres.query<{ version: number }>(`SELECT tenants_version AS version FROM ${S}.cluster`),
    )
    registry.#version = rows[0]!.version
    registry.#pollLater()
    return registry
  }

  async now(): Promise<number> {
    const [row] = await this.#rows<{ now: number }>(`SELECT ${NOW} AS now`)
    return row!.now
  }

  async find(digest: Buffer): Promise<CredentialHolder | undefined> {
    const key = digest.toString('latin1')
    const sentMs = machineMs()
    const remembered = this.#remembered.get(key)
    if (remembered && sentMs < remembered.untilMs && sentMs - this.#lookedAt < FRESH_MS) return remembered.holder
    const forgotten = this.#forgotten
    const [row] = await this.#rows<HolderRow & { leftMs: number | null }>(
      `SELECT ${HOLDER_COLUMNS}, t.expires_at - ${NOW} AS "leftMs"
       FROM ${S}.credentials AS c JOIN ${S}.tenants AS t USING (namespace)
       WHERE c.digest = $1 AND (t.expires_at IS NULL OR t.expires_at > ${NOW})`,
      [digest],
      { name: 'find-credential', timeoutMs: FIND_MS },
    )
    const holder = row && toHolder(row)
    const untilMs = row?.leftMs ? sentMs + row.leftMs : Number.POSITIVE_INFINITY
    if (forgotten === this.#forgotten) this.#remember(key, { holder, untilMs })
    return holder
  }

  async list(): Promise<Tenant[]> {
    return (await this.#rows<TenantRow>(`${TENANT} ORDER BY namespace COLLATE "C"`)).map(toTenant)
  }

  async get(namespace: string): Promise<Tenant | undefined> {
    const [row] = await this.#rows<TenantRow>(`${TENANT} AND namespace = $1`, [namespace])
    return row && toTenant(row)
  }

  create(
    { namespace, expiresAt, limits }: Pick<Tenant, 'namespace' | 'expiresAt' | 'limits'>,
    credentials: readonly NewCredential[],
    fence?: Fence,
  ): Promise<boolean> {
    return this.#change(namespace, fence, async (query, isThere) => {
      if (isThere) return false
      const { messages, storageBytes, sendsPerMinute } = limits
      await query(`INSERT INTO ${S}.tenants VALUES ($1, ${NOW}, $2, $3, $4, $5)`, [
        ...[namespace, expiresAt],
        ...[messages, storageBytes, sendsPerMinute],
      ])
      await add(query, namespace, credentials)
      return true
    })
  }

  update(
    namespace: string,
    { expiresAt, limits }: Partial<Pick<Tenant, 'expiresAt' | 'limits'>>,
    fence?: Fence,
  ): Promise<boolean> {
    return this.#change(namespace, fence, async (query, isThere) => {
      if (expiresAt !== undefined)
        await query(`UPDATE ${S}.tenants SET expires_at = $2 WHERE namespace = $1`, [namespace, expiresAt])
      if (limits)
        await query(
          `UPDATE ${S}.tenants SET messages = $2, storage_bytes = $3, sends_per_minute = $4 WHERE namespace = $1`,
          [namespace, limits.messages, limits.storageBytes, limits.sendsPerMinute],
        )
      return isThere
    })
  }

  changeCredentials(namespace: string, change: CredentialChange, fence?: Fence): Promise<boolean> {
    return this.#change(namespace, fence, async (query, isThere) => {
      if (!isThere) return false
      await query(`DELETE FROM ${S}.credentials WHERE namespace = $1 AND kind = ANY ($2)`, [namespace, change.revoke])
      await add(query, namespace, change.add)
      if (change.keep !== undefined)
        await query(
          `DELETE FROM ${S}.credentials WHERE digest IN (
             SELECT digest FROM (
               SELECT digest, row_number() OVER (PARTITION BY kind ORDER BY seq DESC) AS place
               FROM ${S}.credentials WHERE namespace = $1) AS placed
             WHERE place > $2)`,
          [namespace, change.keep],
        )
      return true
    })
  }

  async remove(namespace: string, fence?: Fence): Promise<void> {
    await this.#change(namespace, fence, async (query, isThere) => {
      await query(`DELETE FROM ${S}.credentials WHERE namespace = $1`, [namespace])
      await query(`DELETE FROM ${S}.tenants WHERE namespace = $1`, [namespace])
      return isThere
    })
  }

  async expired(): Promise<string[]> {
    const rows = await this.#rows<{ namespace: string }>(
      `SELECT namespace FROM ${S}.tenants WHERE expires_at <= ${NOW} ORDER BY expires_at, namespace COLLATE "C"`,
    )
    return rows.map(({ namespace }) => namespace)
  }

  async nextExpiry(): Promise<number | undefined> {
    const [row] = await this.#rows<{ at: number | null }>(`SELECT min(expires_at) AS at FROM ${S}.tenants`)
    return row!.at ?? undefined
  }

  /** Entries that come while others are written are written together. */
  async record(entry: Omit<AuditEntry, 'seq'>): Promise<void> {
    this.#unwritten.push(entry)
    await this.#writing?.catch(() => undefined)
    await this.#write()
  }

  async audit({ after: seq, limit, namespace }: AuditQuery): Promise<AuditEntry[]> {
    await this.#write()
    const rows = await this.#rows<AuditEntry>(
      `SELECT * FROM (
         SELECT seq, at, actor, namespace, operation, method, path, status, request_id AS "requestId" FROM ${S}.audit
         WHERE seq > $1 AND ($3::text IS NULL OR namespace = $3) ORDER BY seq DESC LIMIT $2) AS newest
       ORDER BY seq`,
      [seq, limit, namespace ?? null],
    )
    return [...rows]
  }

  onChange(listener: (namespace: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelPoll()
    this.#cancelWriting()
    await this.#write()
    await this.#postgres.close()
  }

  #remember(key: string, remembered: Remembered) {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(key, remembered)
  }

  #changed(namespaces: readonly string[]) {
    this.#forgotten++
    this.#remembered.clear()
    for (const namespace of namespaces) for (const listener of this.#listeners) listener(namespace)
  }

  #pollLater() {
    if (this.#isClosed) return
    this.#cancelPoll = after(POLL_MS, () => {
      this.#poll()
        .catch((error) => {
          // Cached entries become invalid, and requests get the reason.
          if (!(error instanceof PostgresUnavailable)) this.#onFault(error, 'reading changes of namespaces')
        })
        .finally(() => this.#pollLater())
    })
  }

  async #poll() {
    const sentMs = machineMs()
    const { rows } = await this.#postgres.query<{ current: number; namespace: string | null }>(
      `SELECT c.tenants_version AS current, t.namespace FROM ${S}.cluster AS c
       LEFT JOIN ${S}.tenant_changes AS t ON t.version > $1`,
      [this.#version],
      { name: 'tenant-changes' },
    )
    const { current } = rows[0]!
    const namespaces = rows.map(({ namespace }) => namespace).filter((namespace) => namespace !== null)
    // A failover without a synchronous standby may have lost changes.
    if (current !== this.#version) this.#changed(namespaces)
    this.#version = current
    this.#lookedAt = sentMs
  }

  /** Changes a namespace. Changes have numbers in the order of their commits, because each locks the row of the last one. */
  async #change(
    namespace: string,
    fence: Fence | undefined,
    write: (query: Query, isThere: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    let hasChanged = false
    try {
      hasChanged = await orRefuse(() =>
        this.#postgres.transaction(async (query) => {
          const { rows } = await query<{ version: number }>(
            `UPDATE ${S}.cluster SET tenants_version = tenants_version + 1 RETURNING tenants_version AS version`,
          )
          // Later changes wait for that row, so none of another node can be between this look and the commit.
          const { count: holds } = fence
            ? await query(`SELECT 1 FROM ${S}.worlds WHERE namespace = $1 AND epoch = $2`, [
                fence.namespace,
                fence.epoch,
              ])
            : { count: 1 }
          if (holds === 0) throw elsewhere()
          const { count } = await query(`SELECT 1 FROM ${S}.tenants WHERE namespace = $1`, [namespace])
          await query(
            `INSERT INTO ${S}.tenant_changes VALUES ($1, $2) ON CONFLICT (namespace) DO UPDATE SET version = excluded.version`,
            [namespace, rows[0]!.version],
          )
          return write(query, count === 1)
        }),
      )
      return hasChanged
    } finally {
      this.#changed(hasChanged ? [namespace] : [])
    }
  }

  /** Writes pending entries. Entries that PostgreSQL cannot accept now are written later. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeEntries()
      .catch((error) => {
        if (!isPassing(error)) {
          this.#unconfirmed = undefined
          throw error
        }
        this.#cancelWriting()
        if (!this.#isClosed) this.#cancelWriting = after(WRITE_AGAIN_MS, () => void this.#write())
      })
      .finally(() => {
        this.#writing = undefined
      })
    return this.#writing
  }

  async #writeEntries() {
    if (!this.#unconfirmed && this.#unwritten.length === 0) return
    this.#unconfirmed ??= { batch: machineSecret(''), entries: this.#unwritten.splice(0, MAX_AUDIT) }
    const { batch, entries } = this.#unconfirmed
    await this.#rows(
      `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock($2))
       INSERT INTO ${S}.audit (at, actor, namespace, operation, method, path, status, request_id, batch, place)
       SELECT at, actor, namespace, operation, method, path, status, "requestId", $3, place FROM turn, jsonb_to_recordset($1)
         AS e (at bigint, actor text, namespace text, operation text, method text, path text, status int, "requestId" text, place int)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(entries.map((entry, place) => ({ ...entry, place }))), AUDIT_LOCK, batch],
    )
    this.#unconfirmed = undefined
    this.#uncut -= entries.length
    if (this.#uncut <= 0) {
      this.#uncut = AUDIT_SLACK
      await this.#rows(`DELETE FROM ${S}.audit WHERE seq <= (SELECT max(seq) FROM ${S}.audit) - $1`, [MAX_AUDIT])
    }
    await this.#writeEntries()
  }

  async #rows<Row>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}): Promise<readonly Row[]> {
    return (await orRefuse(() => this.#postgres.query<Row>(text, values, options))).rows
  }
}

async function add(query: Query, namespace: string, credentials: readonly NewCredential[]) {
  for (const { kind, credentialId, digest } of credentials)
    await query(
      `INSERT INTO ${S}.credentials (digest, namespace, kind, credential_id, created_at) VALUES ($1, $2, $3, $4, ${NOW})`,
      [digest, namespace, kind, credentialId],
    )
}
