import type { Problem } from '../../words/problem.ts'
import { after, machineMs, pause } from '../machine-time.ts'
import { databaseFile } from '../storage/atomic-file.ts'
import { removeFile } from '../storage/own-files.ts'
import { isStorageFault, lacksFiles } from '../storage/storage-fault.ts'
import { asProblem } from '../storage/transactions.ts'
import { restore } from './chunks.ts'
import type { Membership } from './membership.ts'
import type { Neighbours } from './neighbours.ts'
import type { Postgres } from './postgres.ts'
import { PostgresSnapshots } from './snapshots.ts'
import type { Claim, ClusterStore, NodeAddress } from './store.ts'
import { elsewhere, isPassing, unavailable, WorldLog } from './world-log.ts'

/** The worlds of this process. */
export interface LocalWorlds {
  /** Opens a world for its scheduled work. */
  open(namespace: string): void
  /** Ends the requests of a world, saves what is still due, and closes it. */
  close(namespace: string, refusal: Problem): Promise<void>
  /** Takes over a world that exists, without opening it. */
  adopt(namespace: string): void
  /** Closes a world at once, without saving. */
  abandon(namespace: string, refusal: Problem): void
  /** Machine ms until scheduled work of a world is due; Infinity without any. */
  dueInMs(namespace: string): number
  /** Closes files of idle worlds, if there are any. */
  freeFiles(): boolean
}

/** Leases for which an answer waits for the log, or for another node. */
const ANSWER_WITHIN = 4 / 3
/** Time for requests of a world that is given away, ms. */
const GRACE_MS = 2_000
/** How long a node claims nothing after it could not store a world, ms. */
const REFUSED_MS = 10_000

/** An answer that is being computed or written. */
export interface PendingAnswer {
  readonly headersSent: boolean
  once(event: 'close', listener: () => void): unknown
}

export interface Owned {
  readonly log: WorldLog
  /** Its own for each epoch: an earlier connection may not be closed yet, and deletes the log beside its file then. */
  readonly file: string
  /** The world has a file. Otherwise its first use creates it. */
  hasFile: boolean
  /** Set while the world is given to another node. */
  leaving: Promise<unknown> | undefined
  readonly exchanges: Set<PendingAnswer>
  readonly snapshots: PostgresSnapshots
  readonly erasures: number
}

interface Parts {
  postgres: Postgres
  /** For what takes long, so that nothing else waits for it. */
  long: Postgres
  store: ClusterStore
  member: Membership
  neighbours: Neighbours
  /** The folder of their files. */
  folder: string
  isShared: boolean
  onFault: (error: unknown, doing: string) => void
}

/** The worlds that this node owns: claims them, loses them, and hands them over. */
export class OwnedWorlds {
  readonly #parts: Parts
  readonly #owned = new Map<string, Owned>()
  readonly #claims = new Map<string, Promise<boolean>>()
  #worlds!: LocalWorlds
  #refusedUntil = 0
  /** How far the logs of worlds had come that were given up because their file was damaged. */
  readonly #damagedAt = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Names the worlds of this process, before the first claim. */
  serve(worlds: LocalWorlds) {
    this.#worlds = worlds
  }

  get(namespace: string): Owned | undefined {
    return this.#owned.get(namespace)
  }

  names(): string[] {
    return [...this.#owned.keys()]
  }

  require(namespace: string): Owned {
    const owned = this.#owned.get(namespace)
    if (!owned || owned.log.refusal) throw owned?.log.refusal ?? elsewhere()
    return owned
  }

  /** Forgets a world whose data is gone. */
  delete(namespace: string) {
    this.#owned.delete(namespace)
  }

  /** How long an answer may wait for PostgreSQL, or for another node, ms. */
  get answerWithinMs(): number {
    return this.#parts.member.leaseMs * ANSWER_WITHIN
  }

  /** Notes a request, for whose answer the world stays here. */
  began(namespace: string, exchange: PendingAnswer) {
    const exchanges = this.#owned.get(namespace)?.exchanges
    if (!exchanges) return
    exchanges.add(exchange)
    exchange.once('close', () => exchanges.delete(exchange))
  }

  claim(namespace: string): Promise<boolean> {
    // A request may have claimed it while this was decided. A second claim would leave its world without a log.
    if (this.#owned.has(namespace)) return Promise.resolve(true)
    const running = this.#claims.get(namespace)
    if (running) return running
    const claim = this.#claimOnce(namespace).finally(() => this.#claims.delete(namespace))
    this.#claims.set(namespace, claim)
    return claim
  }

  /** Claims a world for its scheduled work. */
  async claimAndOpen(namespace: string): Promise<boolean> {
    const isClaimed = await this.claim(namespace)
    if (isClaimed) this.#worlds.open(namespace)
    return isClaimed
  }

  /** Resolves when the claims of this moment are decided. */
  async settleClaims(): Promise<void> {
    await Promise.allSettled(this.#claims.values())
  }

  async #claimOnce(namespace: string): Promise<boolean> {
    const { postgres, long, store, member, neighbours, folder, isShared, onFault } = this.#parts
    const { lapses } = member
    const claim = await store.claim(namespace, member.instance, member.lease.mayJudgeOthers)
    if (!claim) return false
    const file = databaseFile(folder, `${namespace}.${claim.epoch}`)
    const snapshots = new PostgresSnapshots({ postgres, long, scope: isShared ? namespace : '', claim })
    const restored = () => Promise.all([restore(store, claim, file), isShared && snapshots.measure()])
    const [sinceBase] = await restored()
      .catch((error: unknown) => (lacksFiles(error) && this.#worlds.freeFiles() ? restored() : Promise.reject(error)))
      .catch((error: unknown) => this.#giveBack(claim, file, error))
    // Another node may have claimed it since, while the lease of this one was over.
    if (lapses !== member.lapses || !member.lease.isValid) {
      discardFiles(file)
      return false
    }
    const log = new WorldLog(store, claim, sinceBase, {
      lost: () => {
        if (this.#owned.get(namespace)?.log === log) this.lose(namespace)
      },
      onFault,
      dueInMs: () => this.#worlds.dueInMs(namespace),
      answerWithinMs: this.answerWithinMs,
    })
    neighbours.forgetOwner(namespace)
    this.#owned.set(namespace, {
      ...{ log, file, hasFile: sinceBase !== undefined },
      ...{ leaving: undefined, exchanges: new Set(), snapshots, erasures: claim.erasures },
    })
    if (sinceBase) this.#worlds.adopt(namespace)
    return true
  }

  /** A world that cannot be stored here is for another node. */
  async #giveBack(claim: Claim, file: string, error: unknown): Promise<never> {
    discardFiles(file)
    // PostgreSQL cannot be used now, or the log is damaged, which no other node can change.
    if (!isStorageFault(error) && !lacksFiles(error)) throw error
    this.#refusedUntil = machineMs() + REFUSED_MS
    await this.#parts.store.release(claim, null).catch(ignorePassing)
    throw asProblem(error)
  }

  /** Whether a world could not be stored here a short time ago, as on a full disk. */
  get areRefused(): boolean {
    return machineMs() < this.#refusedUntil
  }

  /** Closes a world that has another owner. What was not appended is lost, and was never acknowledged. */
  lose(namespace: string, refusal = elsewhere()) {
    const owned = this.#owned.get(namespace)
    if (!owned) return
    this.#owned.delete(namespace)
    owned.log.stop(refusal)
    this.#worlds.abandon(namespace, owned.log.refusal!)
    // After the database is closed.
    after(0, () => after(0, () => discardFiles(owned.file)))
  }

  /**
   * Closes a world whose file is damaged; the next request restores it. If it is damaged again before anything was
   * appended to its log, the log is damaged.
   */
  giveUpDamaged(namespace: string): Problem | undefined {
    const seq = this.#owned.get(namespace)?.log.seq ?? 0
    if (this.#damagedAt.get(namespace) === seq) return undefined
    this.#damagedAt.set(namespace, seq)
    const refusal = unavailable(
      'The file of this namespace is damaged on this node. Repeat the request: it restores the namespace.',
    )
    this.lose(namespace, refusal)
    return refusal
  }

  loseAll() {
    for (const namespace of this.names()) this.lose(namespace)
  }

  /** Loses the worlds that others have claimed since. */
  async check(currentEpochs: () => Promise<ReadonlyMap<string, number>>): Promise<void> {
    const before = [...this.#owned]
    const epochs = await currentEpochs()
    for (const [namespace, { log, leaving }] of before)
      if (!leaving && epochs.get(namespace) !== log.epoch) this.lose(namespace)
  }

  /** Hands a world over to another node, or releases it. Requests wait until it is done. */
  async handOver(namespace: string, to: NodeAddress | undefined): Promise<void> {
    const owned = this.require(namespace)
    if (owned.leaving) return void (await owned.leaving)
    owned.leaving = this.#handOverNow(owned, to)
    await owned.leaving
  }

  async #handOverNow(owned: Owned, to: NodeAddress | undefined): Promise<void> {
    const { store, member, neighbours } = this.#parts
    const { log } = owned
    const { namespace, epoch } = log
    try {
      await this.#untilAnswered(owned)
      await this.#worlds.close(namespace, elsewhere())
      await log.settled()
      await store.release({ namespace, epoch, seq: log.seq }, to?.instance ?? null)
    } catch (error) {
      ignorePassing(error)
    }
    // Where the outcome is unknown, the next claim raises the epoch.
    if (this.#owned.get(namespace) === owned) this.#owned.delete(namespace)
    log.stop(elsewhere())
    discardFiles(owned.file)
    if (to && to.instance !== member.instance) neighbours.setOwner(namespace, to)
  }

  /** Waits for requests that were let in. Streams and long requests are ended, where they do not end by themselves. */
  async #untilAnswered({ exchanges }: Owned) {
    const until = machineMs() + GRACE_MS
    const isBusy = () => [...exchanges].some(({ headersSent }) => !headersSent)
    while (isBusy() && machineMs() < until) await pause(1, this.#parts.member.stopping)
  }

  /** Scheduled work commits without a request that waits for it. */
  append() {
    for (const { log } of this.#owned.values()) if (!log.refusal) void log.durable()?.catch(() => undefined)
  }

  /** Releases worlds that others have handed to this node, which accepts none. */
  releaseStrays(): Promise<void> {
    return this.#parts.store.releaseOthers(this.#parts.member.instance, [...this.names(), ...this.#claims.keys()])
  }

  /** Gives up all worlds, which were closed before. */
  async releaseAll(): Promise<void> {
    const logs = [...this.#owned.values()].map(({ log }) => log)
    for (const log of logs) await log.settled().catch(() => undefined)
    for (const { namespace, epoch, seq } of logs)
      await this.#parts.store.release({ namespace, epoch, seq }, null).catch(() => undefined)
  }
}

export function removeFiles(file: string) {
  for (const ending of ['', '-wal', '-shm']) removeFile(file + ending)
}

/** Removes files that nothing reads again: their name contains an epoch, and the folder is emptied at each start. */
function discardFiles(file: string) {
  try {
    removeFiles(file)
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}

/** What PostgreSQL cannot do now is done later, or by another node. */
function ignorePassing(error: unknown) {
  if (!isPassing(error)) throw error
}
