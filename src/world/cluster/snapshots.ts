import {
  momentIn,
  type SavedWorld,
  type Snapshot,
  type Snapshots,
  snapshotExists,
  unknownSnapshot,
} from '../snapshots/snapshots.ts'
import { withImage } from '../storage/image.ts'
import { Turns } from '../turns.ts'
import { CHUNK_BYTES, chunksOf } from './chunks.ts'
import type { Postgres } from './postgres.ts'
import { pack, unpack } from './record.ts'
import { type Claim, ClusterStore, deleteSnapshots, placeOf, S } from './store.ts'
import { elsewhere, orRefuse } from './world-log.ts'

/** How long storing a snapshot may take, ms: a fixed part, and more for each chunk. */
const STORE_MS = 30_000
const STORE_CHUNK_MS = 20

interface SnapshotRow {
  readonly id: number
  readonly name: string
  readonly description: Omit<Snapshot, 'name'>
  readonly file_bytes: number
}

interface SnapshotsOptions {
  postgres: Postgres
  /** For what takes long, so that nothing else waits for it. */
  long: Postgres
  /** A namespace of a shared sandbox, or nothing: all namespaces share the snapshots. */
  scope: string
  /** The claim of the world that saves them. */
  claim: Pick<Claim, 'namespace' | 'epoch'>
}

/** The snapshots that all nodes share, as a world that this node owns sees them. */
export class PostgresSnapshots implements Snapshots {
  readonly #postgres: Postgres
  readonly #long: Postgres
  readonly #scope: string
  readonly #claim: SnapshotsOptions['claim']
  /** Of the last turn. */
  readonly #turns = new Turns()
  /** Exact within a scope of one namespace, because only its owner changes it. */
  bytes = 0

  constructor({ postgres, long, scope, claim }: SnapshotsOptions) {
    this.#postgres = postgres
    this.#long = long
    this.#scope = scope
    this.#claim = claim
  }

  /** Reads the size of all snapshots. */
  async measure(): Promise<void> {
    const [row] = await this.#rows<{ bytes: number }>(
      `SELECT coalesce(sum(file_bytes), 0)::bigint AS bytes FROM ${S}.snapshots WHERE scope = $1`,
    )
    this.bytes = row!.bytes
  }

  /** A save holds a copy of the world and a connection until PostgreSQL has it. */
  inTurn<T>(save: () => Promise<T>): Promise<T> {
    return this.#turns.run(save)
  }

  async all() {
    const rows = await this.#rows<SnapshotRow>(
      `SELECT name, description FROM ${S}.snapshots WHERE scope = $1 ORDER BY name COLLATE "C"`,
    )
    return { snapshots: rows.map(({ name, description }) => ({ name, ...description })), damaged: [] }
  }

  async names(): Promise<string[]> {
    return (await this.all()).snapshots.map(({ name }) => name)
  }

  async read(name: string): Promise<SavedWorld> {
    const { id, description, file_bytes } = await this.#require(name)
    const image = Buffer.alloc(file_bytes)
    let missing = image.length
    await orRefuse(async () => {
      const place = { namespace: placeOf(id), baseSeq: 0 }
      for await (const { chunk, bytes } of new ClusterStore(this.#postgres).base(place))
        missing -= (await unpack(bytes)).copy(image, chunk * CHUNK_BYTES)
    })
    // Another node has deleted it meanwhile.
    if (missing > 0) throw unknownSnapshot(name, await this.names())
    return { name, ...description, image }
  }

  async refuseTaken(name: string): Promise<void> {
    if ((await this.names()).includes(name)) throw snapshotExists(name)
  }

  async add(name: string, image: Buffer): Promise<Snapshot> {
    const description = withImage(image, momentIn)
    const chunks = chunksOf(image.length)
    const store = async (query: Postgres['query']) => {
      const { rows } = await query<{ id: number }>(
        `INSERT INTO ${S}.snapshots (scope, name, description, file_bytes) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id`,
        [this.#scope, name, description, image.length],
      )
      if (!rows[0]) throw snapshotExists(name)
      for (let chunk = 0; chunk < chunks; chunk++) {
        const bytes = await pack(image.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES))
        await query(`INSERT INTO ${S}.chunks (namespace, chunk, seq, bytes) VALUES ($1, $2, 0, $3)`, [
          ...[placeOf(rows[0].id), chunk, bytes],
        ])
      }
      // Last, because the world takes no entry meanwhile: a snapshot of a namespace that was deleted is not stored.
      const { namespace, epoch } = this.#claim
      const { count } = await query(`SELECT 1 FROM ${S}.worlds WHERE namespace = $1 AND epoch = $2 FOR SHARE`, [
        ...[namespace, epoch],
      ])
      if (count === 0) throw elsewhere()
    }
    await orRefuse(() => this.#long.transaction(store, STORE_MS + chunks * STORE_CHUNK_MS))
    this.bytes += image.length
    return { name, ...description }
  }

  async remove(name: string): Promise<void> {
    const deleted = await orRefuse(() =>
      this.#long.transaction((query) => deleteSnapshots(query, { scope: this.#scope, name })),
    )
    if (deleted.length === 0) throw unknownSnapshot(name, await this.names())
    for (const { bytes } of deleted) this.bytes -= bytes
  }

  async #require(name: string): Promise<SnapshotRow> {
    const rows = await this.#rows<SnapshotRow>(`SELECT * FROM ${S}.snapshots WHERE scope = $1`)
    const row = rows.find((one) => one.name === name)
    if (row) return row
    throw unknownSnapshot(
      name,
      rows.map((one) => one.name),
    )
  }

  async #rows<Row>(text: string): Promise<readonly Row[]> {
    return (await orRefuse(() => this.#postgres.query<Row>(text, [this.#scope]))).rows
  }
}
