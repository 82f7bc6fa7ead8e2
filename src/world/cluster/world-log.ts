import { closeSync, openSync } from 'node:fs'
import { Problem, problem } from '../../words/problem.ts'
import { after, pause } from '../machine-time.ts'
import type { Database } from '../storage/database.ts'
import { lacksFiles } from '../storage/storage-fault.ts'
import { chunksOf, chunksOfPages, readChunk, type SinceBase } from './chunks.ts'
import { PostgresUnavailable } from './postgres.ts'
import { encodeRecord, pack, pagesOf } from './record.ts'
import type { Claim, ClusterStore } from './store.ts'
import { type PageChanges, WalReader } from './wal.ts'

const RETRY_MS = [20, 100, 300, 1_000]
/** Bytes of changed pages after which a new base is written. */
const COMPACT_AFTER_BYTES = 8 * 1024 * 1024

export interface WorldLogOwner {
  /** Another node owns the world. What was not appended is lost, and was never acknowledged. */
  lost(): void
  onFault(error: unknown, doing: string): void
  /** Machine ms until scheduled work is due; Infinity without any. */
  dueInMs(): number
  /** Answers wait for the log for this time; later they are refused, and the log goes on trying. */
  readonly answerWithinMs: number
}

/** An open database, whose log is read. */
interface Attached {
  readonly db: Database
  readonly reader: WalReader
  /** The database file. Closed after the database: closing it would release SQLite's locks. */
  readonly fd: number
}

/**
 * The log of a world that this node owns. Each commit is in SQLite's write-ahead log first. What was committed while an
 * entry was in progress becomes the next entry.
 */
export class WorldLog {
  readonly namespace: string
  readonly epoch: number
  readonly #store: ClusterStore
  readonly #owner: WorldLogOwner
  readonly #stopping = new AbortController()
  #seq: number
  #attached: Attached | undefined
  /** Changes that are in no write-ahead log any more. */
  #captured: PageChanges[] = []
  /** Of the entry in progress. */
  #current: PromiseWithResolvers<void> | undefined
  /** Of the entry after it. */
  #next: PromiseWithResolvers<void> | undefined
  #refusal: Problem | undefined
  #isStalled = false
  #why = ''
  #sinceBase: SinceBase
  #compaction: Promise<void> | undefined

  constructor(store: ClusterStore, claim: Claim, sinceBase: SinceBase | undefined, owner: WorldLogOwner) {
    this.namespace = claim.namespace
    this.epoch = claim.epoch
    this.#seq = claim.seq
    this.#store = store
    this.#owner = owner
    this.#sinceBase = sinceBase ?? { bytes: 0, chunks: new Set() }
  }

  get seq(): number {
    return this.#seq
  }

  /** Follows the write-ahead log of the database that was opened. */
  attach(file: string, db: Database) {
    const reader = new WalReader(file)
    try {
      this.#attached = { db, reader, fd: openSync(file, 'r') }
    } catch (error) {
      reader.close()
      throw error
    }
  }

  /** Reads the rest of the write-ahead log, which SQLite deletes when the database is closed. */
  beforeClose() {
    const attached = this.#attached
    if (!attached) return
    this.#reading(() => this.#capture())
    this.#attached = undefined
    attached.reader.close()
    after(0, () => closeSync(attached.fd))
    void this.durable()?.catch(() => undefined)
  }

  /** Uses an image as the next state of the world. */
  replace(image: Buffer) {
    this.#captured.push(pagesOf(image))
    void this.durable()?.catch(() => undefined)
  }

  /** Why nothing can be answered now; undefined while the log takes entries. */
  get refusal(): Problem | undefined {
    return this.#refusal ?? (this.#isStalled ? this.#stalled() : undefined)
  }

  /** Resolves when everything committed so far is in the log of the cluster; undefined if it already is. */
  durable(): Promise<void> | undefined {
    const hasMore = this.#reading(() => this.#hasMore)
    if (this.refusal) return Promise.reject(this.refusal)
    if (!hasMore) return this.#current?.promise
    if (this.#current) {
      this.#next ??= deferred()
      return this.#next.promise
    }
    this.#current = deferred()
    const { promise } = this.#current
    void this.#appendAll()
    return promise
  }

  /** Waits until nothing is in progress. */
  async settled(): Promise<void> {
    for (let rest = this.durable(); rest; rest = this.durable()) await rest
    await this.#compaction
  }

  /** Ends all work; what was not appended is refused. */
  stop(refusal: Problem) {
    if (this.#refusal) return
    this.#refusal = refusal
    this.#stopping.abort()
    this.#current?.reject(refusal)
    this.#next?.reject(refusal)
  }

  /** Loses the world if its write-ahead log cannot be read. PostgreSQL has what was appended. */
  #reading<T>(read: () => T): T | undefined {
    if (this.#refusal) return undefined
    try {
      return read()
    } catch (error) {
      // Over by itself; the next request reads again.
      if (lacksFiles(error)) throw error
      this.#owner.onFault(error, `reading the changes of ${this.namespace}`)
      this.#lose()
      return undefined
    }
  }

  get #hasMore(): boolean {
    return this.#captured.length > 0 || (this.#attached?.reader.hasMore ?? false)
  }

  #capture() {
    const changes = this.#attached?.reader.read()
    if (changes) this.#captured.push(changes)
  }

  async #appendAll() {
    try {
      while (this.#current && !this.#refusal) {
        this.#capture()
        const captured = this.#captured
        this.#captured = []
        for (const changes of captured) if (!(await this.#append(changes))) return
        this.#current.resolve()
        this.#current = this.#next
        this.#next = undefined
        this.#compactIfLarge()
      }
    } catch (error) {
      this.#owner.onFault(error, `appending to the log of ${this.namespace}`)
      this.#lose()
    }
  }

  async #append(changes: PageChanges): Promise<boolean> {
    const { namespace, epoch } = this
    const entry = {
      ...{ namespace, epoch, seq: this.#seq + 1 },
      record: await encodeRecord(changes),
      dueInMs: this.#owner.dueInMs(),
    }
    const cancel = after(this.#owner.answerWithinMs, () => this.#stall())
    try {
      if (!(await this.#untilAnswered(() => this.#store.append(entry)))) {
        this.#lose()
        return false
      }
    } finally {
      cancel()
    }
    this.#isStalled = false
    this.#seq++
    this.#sinceBase = {
      bytes: this.#sinceBase.bytes + changes.pages.size * changes.pageBytes,
      chunks: this.#sinceBase.chunks,
    }
    for (const chunk of chunksOfPages(changes)) this.#sinceBase.chunks.add(chunk)
    return !this.#refusal
  }

  /** Repeats a statement until PostgreSQL has answered it. */
  async #untilAnswered(statement: () => Promise<boolean>): Promise<boolean> {
    for (let tries = 0; ; tries++)
      try {
        return await statement()
      } catch (error) {
        if (!(error instanceof PostgresUnavailable)) throw error
        this.#why = error.reason
        const ms = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!
        if (!(await pause(ms, this.#stopping.signal))) return false
      }
  }

  /** Refuses waiting requests. The entry in progress may still be appended. */
  #stall() {
    this.#isStalled = true
    const refuse = async () => {
      if (await this.#store.awaitsStandby().catch(() => false)) this.#why = 'its standby does not answer'
      if (!this.#isStalled) return
      const refusal = this.#stalled()
      const waiting = [this.#current, this.#next]
      // Those who wait later wait for the same entry, and are refused at once while it is stalled.
      if (this.#current) this.#current = deferred()
      this.#next = undefined
      for (const one of waiting) one?.reject(refusal)
    }
    void refuse()
  }

  #stalled(): Problem {
    return unavailable(
      `PostgreSQL does not take the newest changes of this namespace (${this.#why || 'no answer'}). Repeat the request. ` +
        'One that changes something may still take effect: repeat it with the same idempotency key.',
    )
  }

  #lose() {
    if (this.#refusal) return
    this.stop(unavailable('Another node has taken over this namespace. Nothing of the request was kept. Repeat it.'))
    this.#owner.lost()
  }

  /** Writes a new base in the background. The database file is then as after the last entry. */
  #compactIfLarge() {
    const attached = this.#attached
    if (!attached || this.#compaction || this.#current || this.#refusal) return
    if (this.#sinceBase.bytes < COMPACT_AFTER_BYTES) return
    const { db, reader, fd } = attached
    if (db.inTransaction || reader.hasMore || db.pragma('wal_checkpoint(TRUNCATE)') !== 0) return
    reader.restart()
    const bytes = Number(db.pragma('page_count')) * Number(db.pragma('page_size'))
    const since = this.#sinceBase
    this.#sinceBase = { bytes: 0, chunks: new Set() }
    const changed = [...since.chunks].filter((chunk) => chunk < chunksOf(bytes))
    const read = changed.map((chunk) => [chunk, readChunk(fd, chunk)] as const)
    const base = { namespace: this.namespace, epoch: this.epoch, seq: this.#seq, bytes, chunks: chunksOf(bytes) }
    this.#compaction = this.#writeBase(base, read)
      .catch((error) => {
        // The log still has everything; the next attempt writes these chunks too.
        for (const chunk of since.chunks) this.#sinceBase.chunks.add(chunk)
        if (!(error instanceof PostgresUnavailable))
          this.#owner.onFault(error, `compacting the log of ${this.namespace}`)
      })
      .finally(() => {
        this.#compaction = undefined
      })
  }

  async #writeBase(
    base: Parameters<ClusterStore['useBase']>[0],
    changed: readonly (readonly [chunk: number, bytes: Buffer])[],
  ) {
    for (const [chunk, bytes] of changed) {
      if (this.#refusal) return
      await this.#store.putChunk(base.namespace, base.seq, chunk, await pack(bytes))
    }
    await this.#store.useBase(base)
  }
}

/** A refusal that is over by itself soon. */
export const unavailable = (why: string): Problem => problem('storage_unavailable', why, { retry_after: 1 })

export const elsewhere = (): Problem => unavailable('Another node answers for this namespace. Repeat the request.')

/** PostgreSQL or a node cannot be reached now, and is asked again. */
export const isPassing = (error: unknown): boolean =>
  error instanceof PostgresUnavailable || (error instanceof Problem && error.code === 'storage_unavailable')

/** Refuses a request for which PostgreSQL is needed and cannot be used. */
export async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PostgresUnavailable) throw unavailable(`PostgreSQL cannot be used now: ${error.reason}.`)
    throw error
  }
}

function deferred(): PromiseWithResolvers<void> {
  const one = Promise.withResolvers<void>()
  // Nobody may be waiting.
  one.promise.catch(() => undefined)
  return one
}
