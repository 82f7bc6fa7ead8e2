import type { Fence } from '../fence.ts'
import { type Postgres, PostgresUnavailable, PostgresUnsuitable, type QueryResult } from './postgres.ts'

export interface NodeRow {
  readonly name: string
  readonly url: string
  readonly instance: string
  readonly isLive: boolean
  readonly isDraining: boolean
  readonly worlds: number
}

/** A world that this node owns now. */
export interface Claim {
  readonly namespace: string
  readonly epoch: number
  /** The last entry of its log. */
  readonly seq: number
  readonly baseSeq: number
  readonly baseBytes: number
  /** How often the namespace was erased. */
  readonly erasures: number
}

export interface NodeAddress {
  readonly instance: string
  readonly url: string
  readonly name: string
}

/** What must be the same on all nodes, as digests, because any node creates namespaces and answers for any key. */
export interface NodeSetup {
  /** The version of the tables of a world; undefined in an earlier release. */
  tables?: number
  shared: boolean
  world: string
  seed: string
  /** Null if the control plane needs no token. */
  controlToken: string | null
}

/** How a node differs from another one, and what to do. */
const UNLIKE: Readonly<Record<keyof NodeSetup, (other: NodeSetup) => string>> = {
  shared: ({ shared }) => `${shared ? 'with' : 'without'} --shared. Start all nodes of a cluster with it, or none`,
  world: () => 'with another world file. Start all nodes of a cluster with the same --world',
  seed: () => 'with another seed. Start all nodes of a cluster with the same --seed, or all without',
  controlToken: ({ controlToken }) =>
    `${controlToken === null ? 'without a' : 'with another'} control token. Start all nodes of a cluster with the same --control-token`,
  tables: () => 'by a release with other tables. Start all nodes of a cluster with the same release',
}

function unlike({ name, setup }: { name: string; setup: NodeSetup }, own: NodeSetup) {
  const first = (Object.keys(UNLIKE) as (keyof NodeSetup)[]).find((key) => setup[key] !== own[key])!
  return new PostgresUnsuitable(`The node ${name} was started ${UNLIKE[first](setup)}, or stop the other nodes first.`)
}

export const S = 'messaging_sandbox'
/** Nodes register one after another. */
const JOIN_LOCK = 726_201_128
/** How long a node that has registered counts before its first heartbeat, ms. */
const JOINING_MS = 5_000
const CLAIMED = 'RETURNING namespace, epoch, seq, base_seq AS "baseSeq", base_bytes AS "baseBytes", erasures'
/** How long a refusal may wait for its reason, ms. */
const EXPLAIN_MS = 500
const CHUNKS_AT_ONCE = 64
const ENTRIES_AT_ONCE = 64

/** The statements of a cluster. Each that changes something is one statement, or one transaction that checks the epoch. */
export class ClusterStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Registers a node. Returns false while another one of this name lives. Its worlds become free. */
  join(node: { name: string; instance: string; url: string; setup: NodeSetup }): Promise<boolean> {
    return this.#postgres.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [JOIN_LOCK])
      const { rows: others } = await query<{ name: string; setup: NodeSetup }>(
        `SELECT name, setup FROM ${S}.nodes WHERE setup <> $1 AND name <> $2
           AND expires_at + CASE lapses WHEN 0 THEN $3 ELSE 0 END * interval '1 ms' > clock_timestamp()`,
        [node.setup, node.name, JOINING_MS],
      )
      if (others[0]) throw unlike(others[0], node.setup)
      const { rows } = await query<{ is_live: boolean }>(
        `SELECT expires_at > clock_timestamp() AS is_live FROM ${S}.nodes WHERE name = $1 FOR UPDATE`,
        [node.name],
      )
      if (rows[0]?.is_live) return false
      await query(`DELETE FROM ${S}.nodes WHERE name = $1`, [node.name])
      const { count } = await query(
        `INSERT INTO ${S}.nodes (instance, name, url, setup, expires_at) VALUES ($1, $2, $3, $4, clock_timestamp())
         ON CONFLICT DO NOTHING`,
        [node.instance, node.name, node.url, node.setup],
      )
      return count === 1
    })
  }

  /**
   * Renews the lease of a node. `lapses` counts how often it had ended before, and others could have claimed its
   * worlds; undefined if the node was removed. `clockMs` is PostgreSQL's clock.
   */
  async beat(
    instance: string,
    leaseMs: number,
  ): Promise<{ lapses: number; clockMs: number; isDraining: boolean } | undefined> {
    const answer = await this.#postgres.query<{ lapses: number; clockMs: number; isDraining: boolean }>(
      `UPDATE ${S}.nodes SET lapses = lapses + (expires_at <= clock_timestamp())::int,
         expires_at = clock_timestamp() + $2 * interval '1 ms'
       WHERE instance = $1 RETURNING lapses, is_draining AS "isDraining",
         (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "clockMs"`,
      [instance, leaseMs],
      { name: 'beat', timeoutMs: leaseMs },
    )
    confirmed(answer)
    return answer.rows[0]
  }

  async nodes(): Promise<readonly NodeRow[]> {
    const { rows } = await this.#postgres.query<NodeRow>(
      `SELECT name, url, instance, expires_at > clock_timestamp() AS "isLive", is_draining AS "isDraining",
         (SELECT count(*) FROM ${S}.worlds WHERE owner = instance) AS worlds
       FROM ${S}.nodes ORDER BY name`,
    )
    return rows
  }

  async setDraining(instance: string) {
    await this.#postgres.query(`UPDATE ${S}.nodes SET is_draining = true WHERE instance = $1`, [instance])
  }

  /** Removes a node that owns nothing any more. */
  async removeNode(instance: string) {
    await this.#postgres.query(`DELETE FROM ${S}.nodes WHERE instance = $1`, [instance])
  }

  /** The worlds of a node with their epochs, after its lease had lapsed. */
  async owned(instance: string): Promise<Map<string, number>> {
    const { rows } = await this.#postgres.query<Fence>(`SELECT namespace, epoch FROM ${S}.worlds WHERE owner = $1`, [
      instance,
    ])
    return new Map(rows.map(({ namespace, epoch }) => [namespace, epoch]))
  }

  /**
   * Claims a world that nobody owns, or whose owner's lease is over. The row of that owner is locked first, so a
   * heartbeat comes before the claim, or finds that its lease had lapsed. A wish to move it here is fulfilled by that.
   */
  async claim(namespace: string, instance: string, mayJudgeOthers: boolean): Promise<Claim | undefined> {
    const answer = await this.#postgres.query<Claim>(
      `WITH holder AS MATERIALIZED (
         SELECT n.instance, n.expires_at FROM ${S}.worlds AS w JOIN ${S}.nodes AS n ON n.instance = w.owner
         WHERE w.namespace = $1 FOR SHARE OF n)
       INSERT INTO ${S}.worlds AS w (namespace, epoch, owner) VALUES ($1, 1, $2)
       ON CONFLICT (namespace) DO UPDATE SET epoch = w.epoch + 1, owner = $2, move_to = nullif(w.move_to, $2)
         WHERE w.owner IS NULL OR w.owner = $2
           OR $3 AND EXISTS (
             SELECT 1 FROM holder WHERE holder.instance = w.owner AND holder.expires_at <= clock_timestamp())
       ${CLAIMED}`,
      [namespace, instance, mayJudgeOthers],
      { name: 'claim' },
    )
    const [claim] = answer.rows
    if (claim) confirmed(answer)
    return claim
  }

  /** The node that owns a world; undefined if none does. */
  async ownerOf(namespace: string): Promise<NodeAddress | undefined> {
    const { rows } = await this.#postgres.query<NodeAddress>(
      `SELECT n.instance, n.url, n.name FROM ${S}.worlds AS w JOIN ${S}.nodes AS n ON n.instance = w.owner
       WHERE w.namespace = $1`,
      [namespace],
      { name: 'owner' },
    )
    return rows[0]
  }

  /** Worlds with scheduled work that is due and that no living node owns. */
  async dueWithoutOwner(limit: number): Promise<string[]> {
    const { rows } = await this.#postgres.query<{ namespace: string }>(
      `SELECT w.namespace FROM ${S}.worlds AS w LEFT JOIN ${S}.nodes AS n ON n.instance = w.owner
       WHERE w.due_at <= clock_timestamp() AND (n.instance IS NULL OR n.expires_at <= clock_timestamp())
       ORDER BY w.due_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED`,
      [limit],
      { name: 'due' },
    )
    return rows.map(({ namespace }) => namespace)
  }

  /**
   * Appends an entry. Returns false if the world has another owner. The statement may be repeated where its outcome
   * is unknown: an entry of this epoch at this place is this entry.
   */
  async append(entry: {
    namespace: string
    epoch: number
    seq: number
    record: Buffer
    /** Time until scheduled work is due; Infinity without any. */
    dueInMs: number
  }): Promise<boolean> {
    const { namespace, epoch, seq, record, dueInMs } = entry
    const { count, isConfirmed } = await this.#postgres.query(
      `WITH moved AS (
         UPDATE ${S}.worlds SET seq = $3, due_at = clock_timestamp() + $5::float8 * interval '1 ms'
         WHERE namespace = $1 AND epoch = $2 AND seq = $3 - 1 RETURNING namespace)
       INSERT INTO ${S}.log (namespace, seq, epoch, record) SELECT namespace, $3, $2, $4 FROM moved`,
      [namespace, epoch, seq, record, Number.isFinite(dueInMs) ? Math.max(0, dueInMs) : null],
      { name: 'append' },
    )
    return (count === 1 && isConfirmed) || this.#confirm(namespace, epoch, seq)
  }

  /**
   * Whether an entry is in the log, for good: another commit waits for the standby, which has then received everything
   * before it.
   */
  async #confirm(namespace: string, epoch: number, seq: number): Promise<boolean> {
    const answer = await this.#postgres.query(
      `UPDATE ${S}.worlds SET seq = seq WHERE namespace = $1
         AND EXISTS (SELECT 1 FROM ${S}.log WHERE namespace = $1 AND seq = $3 AND epoch = $2)`,
      [namespace, epoch, seq],
    )
    if (answer.count === 0) return false
    confirmed(answer)
    return true
  }

  /** Worlds with data, and the nodes that own them. */
  async worlds(): Promise<readonly { name: string; node: string | null }[]> {
    const { rows } = await this.#postgres.query<{ name: string; node: string | null }>(
      `SELECT w.namespace AS name, n.name AS node
       FROM ${S}.worlds AS w LEFT JOIN ${S}.nodes AS n ON n.instance = w.owner AND n.expires_at > clock_timestamp()
       WHERE w.seq > w.base_seq OR w.base_bytes > 0 ORDER BY w.namespace`,
    )
    return rows
  }

  /** Asks the owner of a world to move it to another node. A world without an owner moves at once. */
  async askToMove(namespace: string, to: string): Promise<boolean> {
    const { count } = await this.#postgres.query(
      `UPDATE ${S}.worlds SET move_to = CASE WHEN owner IS NULL THEN NULL ELSE $2 END,
         epoch = epoch + (owner IS NULL)::int, owner = coalesce(owner, $2) WHERE namespace = $1`,
      [namespace, to],
    )
    return count === 1
  }

  /** The worlds of a node that are to move to other nodes. */
  async toMove(instance: string): Promise<readonly { namespace: string; to: string }[]> {
    const { rows } = await this.#postgres.query<{ namespace: string; to: string }>(
      `SELECT namespace, move_to AS to FROM ${S}.worlds WHERE owner = $1 AND move_to IS NOT NULL`,
      [instance],
      { name: 'moves' },
    )
    return rows
  }

  /** Hands a world over to another node, or releases it. Returns false if it already has another owner. */
  async release(world: { namespace: string; epoch: number; seq: number }, to: string | null): Promise<boolean> {
    const answer = await this.#postgres.query(
      `UPDATE ${S}.worlds SET epoch = epoch + 1, owner = $4, move_to = NULL WHERE namespace = $1 AND epoch = $2 AND seq = $3`,
      [world.namespace, world.epoch, world.seq, to],
    )
    confirmed(answer)
    return answer.count === 1
  }

  /** Releases the worlds of a node except some. */
  async releaseOthers(instance: string, kept: readonly string[]) {
    await this.#postgres.query(
      `UPDATE ${S}.worlds SET epoch = epoch + 1, owner = NULL, move_to = NULL WHERE owner = $1 AND namespace <> ALL ($2)`,
      [instance, kept],
    )
  }

  /** Deletes the data of a world for a call. Its row stays: epoch and numbers of entries never repeat. */
  async erase({ namespace, epoch }: Fence, fence: Fence = { namespace, epoch }): Promise<boolean> {
    return this.#postgres.transaction(async (query) => {
      const { count } = await query(
        `UPDATE ${S}.worlds SET epoch = epoch + 1, owner = NULL, base_seq = seq, base_bytes = 0, due_at = NULL,
           erasures = erasures + 1
         WHERE namespace = $1 AND epoch = $2
           AND EXISTS (SELECT 1 FROM ${S}.worlds WHERE namespace = $3 AND epoch = $4)`,
        [namespace, epoch, fence.namespace, fence.epoch],
      )
      if (count === 0) return false
      await query(`DELETE FROM ${S}.log WHERE namespace = $1`, [namespace])
      await query(`DELETE FROM ${S}.chunks WHERE namespace = $1`, [namespace])
      // Those of one namespace; without --shared, snapshots belong to all.
      await deleteSnapshots(query, { scope: namespace })
      return true
    })
  }

  /** The chunks of the base of a world. */
  base({ namespace, baseSeq }: Pick<Claim, 'namespace' | 'baseSeq'>) {
    return inPages(-1, async (after) => {
      const { rows } = await this.#postgres.query<{ chunk: number; bytes: Buffer }>(
        `SELECT DISTINCT ON (chunk) chunk, bytes FROM ${S}.chunks WHERE namespace = $1 AND seq <= $2 AND chunk > $3
         ORDER BY chunk, seq DESC LIMIT ${CHUNKS_AT_ONCE}`,
        [namespace, baseSeq, after],
      )
      return { rows, next: rows.length < CHUNKS_AT_ONCE ? undefined : rows.at(-1)!.chunk }
    })
  }

  /** The entries of a log, without those that its base contains. */
  entries({ namespace, baseSeq, seq }: Pick<Claim, 'namespace' | 'baseSeq' | 'seq'>) {
    return inPages(baseSeq, async (after) => {
      const { rows } = await this.#postgres.query<{ seq: number; record: Buffer }>(
        `SELECT seq, record FROM ${S}.log WHERE namespace = $1 AND seq > $2 AND seq <= $3
         ORDER BY seq LIMIT ${ENTRIES_AT_ONCE}`,
        [namespace, after, seq],
      )
      let last = after
      for (const row of rows) if (row.seq !== ++last) throw new Error(`The log of ${namespace} has no entry ${last}.`)
      if (rows.length < ENTRIES_AT_ONCE && last < seq)
        throw new Error(`The log of ${namespace} ends at ${last}, before ${seq}.`)
      return { rows: rows.map(({ record }) => record), next: last < seq ? last : undefined }
    })
  }

  /** Writes a chunk of a base that is not in use yet. */
  async putChunk(namespace: string, seq: number, chunk: number, bytes: Buffer) {
    await this.#postgres.query(
      `INSERT INTO ${S}.chunks (namespace, chunk, seq, bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (namespace, chunk, seq) DO UPDATE SET bytes = excluded.bytes`,
      [namespace, chunk, seq, bytes],
      { name: 'chunk' },
    )
  }

  /** Uses the base that ends with an entry, and deletes what it replaces. Returns false if the world has another owner. */
  useBase(base: { namespace: string; epoch: number; seq: number; bytes: number; chunks: number }): Promise<boolean> {
    const { namespace, epoch, seq, bytes, chunks } = base
    return this.#postgres.transaction(async (query) => {
      const { count } = await query(
        `UPDATE ${S}.worlds SET base_seq = $3, base_bytes = $4 WHERE namespace = $1 AND epoch = $2 AND base_seq < $3`,
        [namespace, epoch, seq, bytes],
      )
      if (count === 0) return false
      await query(`DELETE FROM ${S}.log WHERE namespace = $1 AND seq <= $2`, [namespace, seq])
      await query(
        `DELETE FROM ${S}.chunks AS old WHERE namespace = $1 AND (chunk >= $3 OR seq < $2 AND EXISTS (
           SELECT 1 FROM ${S}.chunks AS new
           WHERE new.namespace = $1 AND new.chunk = old.chunk AND new.seq > old.seq AND new.seq <= $2))`,
        [namespace, seq, chunks],
      )
      return true
    })
  }

  /** Whether commits wait for a standby that does not answer. */
  async awaitsStandby(): Promise<boolean> {
    const { count } = await this.#postgres.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'messaging-sandbox' AND wait_event = 'SyncRep' LIMIT 1`,
      [],
      { timeoutMs: EXPLAIN_MS },
    )
    return count > 0
  }
}

interface Page<Row> {
  readonly rows: readonly Row[]
  /** Start of the next page; undefined after the last one. */
  readonly next: number | undefined
}

/** Reads rows page by page, each while the one before it is used. */
async function* inPages<Row>(from: number, read: (after: number) => Promise<Page<Row>>): AsyncGenerator<Row> {
  for (let reading: Promise<Page<Row>> | undefined = read(from); reading; ) {
    const { rows, next }: Page<Row> = await reading
    reading = next === undefined ? undefined : read(next)
    reading?.catch(() => undefined)
    yield* rows
  }
}

/** Chunks of a snapshot are beside those of worlds, whose names have no such character. */
export const placeOf = (id: number): string => `#${id}`

/** Deletes the snapshots of a scope, or one of them, as part of a transaction. */
export async function deleteSnapshots(
  query: Postgres['query'],
  { scope, name }: { scope: string; name?: string },
): Promise<readonly { bytes: number }[]> {
  const { rows } = await query<{ id: number; bytes: number }>(
    `DELETE FROM ${S}.snapshots WHERE scope = $1 AND ($2::text IS NULL OR name = $2) RETURNING id, file_bytes AS bytes`,
    [scope, name ?? null],
  )
  await query(`DELETE FROM ${S}.chunks WHERE namespace = ANY ($1)`, [rows.map(({ id }) => placeOf(id))])
  return rows
}

function confirmed({ isConfirmed }: QueryResult<unknown>) {
  if (!isConfirmed) throw new PostgresUnavailable('PostgreSQL stopped waiting for its standby')
}
