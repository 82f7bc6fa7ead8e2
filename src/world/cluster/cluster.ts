import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, problem } from '../../words/problem.ts'
import { machineSecret } from '../machine-secret.ts'
import { after, machineMs, pause } from '../machine-time.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import { databaseFile } from '../storage/atomic-file.ts'
import { openWorldFile, type StorageBackend } from '../storage/backend.ts'
import { withLog } from '../storage/image.ts'
import { replaceOwnFile } from '../storage/own-files.ts'
import { makePrivateFolder } from '../storage/private.ts'
import { restore } from './chunks.ts'
import { moment, NodeLease } from './lease.ts'
import { Postgres, PostgresUnavailable, PostgresUnsuitable } from './postgres.ts'
import { prepareSchema } from './schema.ts'
import { PostgresSnapshots } from './snapshots.ts'
import { ClusterStore, type NodeAddress, type NodeRow } from './store.ts'
import { PostgresRegistry } from './tenant-registry.ts'
import { elsewhere, isPassing, orRefuse, unavailable, WorldLog } from './world-log.ts'

export type { NodeAddress }

export interface ClusterOptions {
  /** postgres://… */
  url: string
  /** The name of this node, which no other running node has. */
  node: string
  /** The data folder. The cluster's part of it is a cache, and is emptied at the start. */
  folder: string
  /** Keys are secret, as on all nodes. */
  isShared: boolean
  /** How long this node may answer after each heartbeat, ms; 3,000 by default. */
  leaseMs?: number | undefined
  onFault: (error: unknown, doing: string) => void
}

/** A namespace with data, and the node that answers for it. */
export interface PlacedNamespace {
  readonly name: string
  readonly node: string | null
}

export interface ClusterStatus {
  readonly nodes: readonly NodeRow[]
  readonly namespaces: readonly PlacedNamespace[]
}

/** Operations of a cluster for the control plane. */
export interface ClusterControl {
  /** The name of this node. */
  readonly node: string
  status(): Promise<ClusterStatus>
  askToMove(namespace: string, node: string): Promise<void>
  askToDrain(node: string): Promise<number>
  take(namespace: string): Promise<void>
}

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
}

/** How long a node may answer after PostgreSQL has recorded that it lives, ms. */
const LEASE_MS = 3_000
/** Parts of a lease: between two heartbeats, and after one that failed. */
const BEAT = 1 / 3
const BEAT_AGAIN = 1 / 15
/** Leases for which an answer waits for the log, or for another node. */
const ANSWER_WITHIN = 4 / 3
/** How long a request waits for a namespace whose owner has just died, beside its lease: time to open it. */
const OPEN_MS = 3_000
const LOOK_AGAIN_MS = 100
const UNREACHABLE_MS = 10_000
const MOST_MOVE_MS = 20_000
/** Time for requests of a world that is given away, ms. */
const GRACE_MS = 2_000
const MOVES_AT_ONCE = 8
/** Worlds with scheduled work that a node picks up with one heartbeat. */
const PICK_UP = 4

interface EnterOptions {
  /** The request came from another node, and must not travel on. */
  isForwarded?: boolean
  /** The last known owners did not answer. */
  isAgain?: boolean
}

/** An answer that is being computed or written. */
interface Exchange {
  readonly headersSent: boolean
  once(event: 'close', listener: () => void): unknown
}

interface Owned {
  readonly log: WorldLog
  /** Its own for each epoch: an earlier connection may not be closed yet, and deletes the log beside its file then. */
  readonly file: string
  /** The world has a file. Otherwise its first use creates it. */
  hasFile: boolean
  /** Set while the world is given to another node. */
  leaving: Promise<unknown> | undefined
  readonly exchanges: Set<Exchange>
  readonly snapshots: PostgresSnapshots
}

/** This process as a node of a cluster: which worlds it owns, and when what it has written may be shown. */
export class Cluster implements ClusterControl {
  readonly node: string
  /** What nodes show each other. */
  readonly secret: string
  readonly #options: ClusterOptions
  readonly #postgres: Postgres
  /** Heartbeats never wait for other statements. */
  readonly #pulse: Postgres
  readonly #store: ClusterStore
  readonly #pulseStore: ClusterStore
  readonly #leaseMs: number
  readonly #lease: NodeLease
  readonly #folder: string
  readonly #owned = new Map<string, Owned>()
  readonly #claims = new Map<string, Promise<boolean>>()
  /** The last known owners of worlds that others own. */
  readonly #elsewhere = new Map<string, NodeAddress>()
  /** Abort when the lease of a node is over, by instance. */
  readonly #alive = new Map<string, AbortController>()
  /** Nodes that are alive, and that this one cannot reach. */
  readonly #unreachable = new Set<string>()
  readonly #stopping = new AbortController()
  #instance = ''
  #url = ''
  #lapses = 0
  #why = 'no answer'
  #isDraining = false
  #worlds!: LocalWorlds
  #beating: Promise<void> = Promise.resolve()

  private constructor(options: ClusterOptions, postgres: Postgres, secret: string) {
    this.#options = options
    this.node = options.node
    this.secret = secret
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#lease = new NodeLease(this.#leaseMs)
    this.#postgres = postgres
    this.#pulse = new Postgres(options.url, { connections: 2 })
    this.#store = new ClusterStore(postgres)
    this.#pulseStore = new ClusterStore(this.#pulse)
    this.#folder = join(options.folder, 'cluster')
    rmSync(this.#folder, { recursive: true, force: true })
    makePrivateFolder(this.#folder)
  }

  /** Connects and creates the tables where they are missing. Throws where PostgreSQL cannot be used. */
  static async connect(options: ClusterOptions): Promise<Cluster> {
    const postgres = new Postgres(options.url)
    try {
      return new Cluster(options, postgres, await prepareSchema(postgres, machineSecret('')))
    } catch (error) {
      await postgres.close()
      throw error instanceof PostgresUnavailable
        ? new PostgresUnsuitable(`PostgreSQL cannot be used: ${error.message}.`)
        : error
    }
  }

  /** Becomes a node that others reach at an address. */
  async join(url: string, worlds: LocalWorlds): Promise<void> {
    this.#worlds = worlds
    this.#url = url
    // A node that was killed has its name until its lease is over.
    const until = machineMs() + this.#leaseMs * (1 + BEAT)
    while (!(await this.#register()))
      if (machineMs() > until || !(await pause(LOOK_AGAIN_MS, this.#stopping.signal)))
        throw new PostgresUnsuitable(`A node named ${this.node} is running already. Choose another name with --node.`)
    await this.#beat()
    this.#beatOn(this.#leaseMs * BEAT)
  }

  /** Whether what PostgreSQL commits survives a power cut. */
  get isDurable(): boolean {
    return this.#postgres.isDurable
  }

  get isReady(): boolean {
    return this.#lease.isValid && !this.#isDraining
  }

  /**
   * Makes sure that this node may answer for a world. Undefined, or a promise of it, where it may; otherwise resolves
   * with the node to ask.
   */
  enter(namespace: string, options: EnterOptions = {}): Promise<NodeAddress | undefined> | undefined {
    const owned = this.#owned.get(namespace)
    if (owned && !owned.leaving && !owned.log.refusal && this.#lease.isValid) return undefined
    return this.#enter(namespace, options)
  }

  /** Aborts when the lease of a node is over: it may be suspended, and not answer for long. */
  whileAlive({ instance }: NodeAddress): AbortSignal {
    const alive = this.#alive.get(instance) ?? new AbortController()
    this.#alive.set(instance, alive)
    return alive.signal
  }

  /** Asks for the worlds of a node through PostgreSQL for a while, because no request reaches it. */
  cannotReach({ instance }: NodeAddress) {
    this.#unreachable.add(instance)
    after(UNREACHABLE_MS, () => this.#unreachable.delete(instance))
    this.#forgetWorldsOf(instance)
  }

  /** How long an answer may wait for PostgreSQL, or for another node, ms. */
  get answerWithinMs(): number {
    return this.#leaseMs * ANSWER_WITHIN
  }

  get self(): NodeAddress {
    return { instance: this.#instance, url: this.#url, name: this.node }
  }

  /** Notes a request, for whose answer the world stays here. */
  began(namespace: string, exchange: Exchange) {
    const exchanges = this.#owned.get(namespace)?.exchanges
    if (!exchanges) return
    exchanges.add(exchange)
    exchange.once('close', () => exchanges.delete(exchange))
  }

  /** Forgets who owns a world, after that node did not answer for it. */
  forget(namespace: string, owner: NodeAddress) {
    if (this.#elsewhere.get(namespace)?.instance === owner.instance) this.#elsewhere.delete(namespace)
  }

  /** Resolves when what a world has committed may be shown; undefined if it may be shown now. */
  whenDurable(namespace: string): Promise<void> | undefined {
    const log = this.#owned.get(namespace)?.log
    if (!log) return Promise.reject(elsewhere())
    const durable = log.durable()
    if (durable) return durable.then(() => this.#leaseProven(log))
    return this.#lease.isValid ? undefined : this.#leaseProven(log)
  }

  readonly backend: StorageBackend = {
    names: () => [],
    open: (namespace) => {
      const owned = this.#require(namespace)
      if (!owned.hasFile) return undefined
      const { file } = owned
      return openWorldFile(file, (db) => {
        owned.log.attach(file, db)
        db.beforeClose(() => owned.log.beforeClose())
      })
    },
    saveAndClose: (_, db) => db.close(),
    replace: (namespace, image) => {
      const owned = this.#require(namespace)
      const bytes = withLog(image)
      removeFiles(owned.file)
      replaceOwnFile(owned.file, bytes, { isFleeting: true })
      owned.hasFile = true
      owned.log.replace(bytes)
    },
    // The log in PostgreSQL has the state before the damage.
    setAside() {},
    remove: (namespace) => removeFiles(this.#require(namespace).file),
    whenDurable: (namespace) => this.whenDurable(namespace),
    erase: async (namespace) => {
      const { log } = this.#require(namespace)
      await log.settled()
      log.stop(elsewhere())
      this.#owned.delete(namespace)
      if (!(await orRefuse(() => this.#store.erase(namespace, log.epoch)))) throw elsewhere()
    },
    dispose() {},
  }

  status(): Promise<ClusterStatus> {
    return orRefuse(async () => {
      const [nodes, namespaces] = await Promise.all([this.#store.nodes(), this.#store.worlds()])
      return { nodes, namespaces }
    })
  }

  /** Moves a world to a node by name. Its owner sees the wish with its next heartbeat. */
  askToMove(namespace: string, name: string): Promise<void> {
    return orRefuse(async () => {
      const { nodes, namespaces } = await this.status()
      const target = nodes.find((node) => node.name === name && node.isLive && !node.isDraining)
      const found = namespaces.find((world) => world.name === namespace)
      if (!found) throw problem('not_found', `There is no namespace ${namespace}.`)
      if (!target) throw problem('not_found', `There is no running node ${name} that takes namespaces.`)
      if (found.node === name) return
      await this.#store.askToMove(namespace, target.instance)
      await this.#until(async () => (await this.#store.ownerOf(namespace))?.instance === target.instance)
    })
  }

  /** Moves a world to this node from wherever it is. */
  async take(namespace: string): Promise<void> {
    for (;;) {
      if (this.#isDraining) throw elsewhere()
      this.#elsewhere.delete(namespace)
      if (!(await this.#enter(namespace, {}))) return
      await orRefuse(() => this.#store.askToMove(namespace, this.#instance))
      // Its owner gives it away, or dies.
      await this.#until(() => orRefuse(() => this.#claim(namespace)))
    }
  }

  /** Whether this node answers for a world, which it claims where no node does. */
  async has(namespace: string): Promise<boolean> {
    return !(await this.enter(namespace))
  }

  /** The snapshots that a world of this node may use. */
  snapshotsOf(namespace: string): Snapshots {
    return this.#require(namespace).snapshots
  }

  /** The namespaces and credentials of a shared sandbox. */
  tenants(): Promise<PostgresRegistry> {
    const { url, onFault } = this.#options
    return PostgresRegistry.open(new Postgres(url, { connections: 4 }), onFault)
  }

  /** The control token of all nodes that were started without one. */
  get controlToken(): string {
    return `ct_${createHmac('sha256', this.secret).update('control token').digest('hex').slice(0, 40)}`
  }

  /** Makes a node hand over all its worlds. Returns their number. */
  askToDrain(name: string): Promise<number> {
    return orRefuse(async () => {
      const nodeOf = async () => (await this.#store.nodes()).find((node) => node.name === name && node.isLive)
      const node = await nodeOf()
      if (!node) throw problem('not_found', `There is no running node ${name}.`)
      await this.#store.setDraining(node.instance)
      await this.#until(async () => ((await nodeOf())?.worlds ?? 0) === 0)
      return node.worlds
    })
  }

  /** Moves all worlds to other nodes, and accepts no further ones. */
  async drain(): Promise<void> {
    this.#isDraining = true
    const draining = this.#store.setDraining(this.#instance)
    await Promise.allSettled([draining, ...this.#claims.values()])
    const nodes = await draining.then(() => this.#store.nodes()).catch(() => [])
    const others = nodes.filter((node) => node.isLive && !node.isDraining && node.instance !== this.#instance)
    // Without a lease no world can be moved; the log contains all acknowledged changes.
    if (!this.#lease.isValid) for (const namespace of [...this.#owned.keys()]) this.#lost(namespace)
    const rest = [...this.#owned.keys()].entries()
    const handOverRest = async () => {
      for (const [i, namespace] of rest)
        await this.#handOver(namespace, others.length > 0 ? others[i % others.length] : undefined).catch((error) =>
          this.#options.onFault(error, `moving the namespace ${namespace}`),
        )
    }
    await Promise.all(Array.from({ length: MOVES_AT_ONCE }, handOverRest))
  }

  async #until(isDone: () => Promise<boolean>) {
    const until = machineMs() + MOST_MOVE_MS
    while (!(await isDone()))
      if (machineMs() > until || !(await pause(LOOK_AGAIN_MS, this.#stopping.signal)))
        throw unavailable('The node has not given up its namespaces yet. It goes on: look at the status.')
  }

  /** Leaves the cluster. The worlds were closed before. */
  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#beating
    for (const { log } of this.#owned.values()) await log.settled().catch(() => undefined)
    for (const { log } of this.#owned.values())
      await this.#store
        .release({ namespace: log.namespace, epoch: log.epoch, seq: log.seq }, null)
        .catch(() => undefined)
    // Without a lease the others have noticed, or will.
    if (this.#lease.isValid) await this.#store.removeNode(this.#instance).catch(() => undefined)
    this.#lease.ended()
    await Promise.all([this.#postgres.close(), this.#pulse.close()])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #require(namespace: string): Owned {
    const owned = this.#owned.get(namespace)
    if (!owned || owned.log.refusal) throw owned?.log.refusal ?? elsewhere()
    return owned
  }

  async #enter(
    namespace: string,
    { isForwarded = false, isAgain = false }: EnterOptions,
  ): Promise<NodeAddress | undefined> {
    const until = machineMs() + this.#leaseMs + OPEN_MS
    let isMoveRequested = false
    // Its node may be starting, or dead with a lease that is not over.
    if (isAgain && !(await pause(LOOK_AGAIN_MS, this.#stopping.signal))) throw elsewhere()
    for (;;) {
      const owned = this.#owned.get(namespace)
      if (owned?.leaving) {
        await owned.leaving
        continue
      }
      if (owned?.log.refusal) throw owned.log.refusal
      if (!(await this.#hasLease(until))) throw this.#withoutLease()
      if (this.#owned.has(namespace)) return undefined
      const lastKnown = this.#elsewhere.get(namespace)
      if (lastKnown && !isForwarded) return lastKnown
      const owner = await orRefuse(() => this.#claimOrOwner(namespace))
      if (owner === 'claimed') return undefined
      if (isForwarded) throw elsewhere()
      if (owner && (this.#isDraining || !this.#unreachable.has(owner.instance))) {
        this.#elsewhere.set(namespace, owner)
        return owner
      }
      if (owner && !isMoveRequested) await orRefuse(() => this.#store.askToMove(namespace, this.#instance))
      isMoveRequested ||= owner !== undefined
      if (machineMs() > until || !(await pause(LOOK_AGAIN_MS, this.#stopping.signal))) throw elsewhere()
    }
  }

  /** Claims a world, or finds the living node that owns it. */
  async #claimOrOwner(namespace: string): Promise<'claimed' | NodeAddress | undefined> {
    if (!this.#isDraining && (await this.#claim(namespace))) return 'claimed'
    const [owner, nodes] = await Promise.all([this.#store.ownerOf(namespace), this.#store.nodes()])
    const others = nodes.filter(({ isLive, instance }) => isLive && instance !== this.#instance)
    if (owner) return others.find(({ instance }) => instance === owner.instance)
    return this.#isDraining ? others.find(({ isDraining }) => !isDraining) : undefined
  }

  #claim(namespace: string): Promise<boolean> {
    // A request may have claimed it while this was decided. A second claim would leave its world without a log.
    if (this.#owned.has(namespace)) return Promise.resolve(true)
    const running = this.#claims.get(namespace)
    if (running) return running
    const claim = this.#claimOnce(namespace).finally(() => this.#claims.delete(namespace))
    this.#claims.set(namespace, claim)
    return claim
  }

  async #claimOnce(namespace: string): Promise<boolean> {
    const lapses = this.#lapses
    const claim = await this.#store.claim(namespace, this.#instance, this.#lease.mayJudgeOthers)
    if (!claim) return false
    const file = databaseFile(this.#folder, `${namespace}.${claim.epoch}`)
    const { isShared } = this.#options
    const snapshots = new PostgresSnapshots(this.#postgres, { scope: isShared ? namespace : '', claim })
    const [sinceBase] = await Promise.all([restore(this.#store, claim, file), isShared && snapshots.measure()])
    // Another node may have claimed it since, while the lease of this one was over.
    if (lapses !== this.#lapses || !this.#lease.isValid) {
      removeFiles(file)
      return false
    }
    const log = new WorldLog(this.#store, claim, sinceBase, {
      lost: () => {
        if (this.#owned.get(namespace)?.log === log) this.#lost(namespace)
      },
      onFault: this.#options.onFault,
      dueInMs: () => this.#worlds.dueInMs(namespace),
      answerWithinMs: this.answerWithinMs,
    })
    this.#elsewhere.delete(namespace)
    this.#owned.set(namespace, {
      ...{ log, file, hasFile: sinceBase !== undefined },
      ...{ leaving: undefined, exchanges: new Set(), snapshots },
    })
    if (sinceBase) this.#worlds.adopt(namespace)
    return true
  }

  /** Closes a world that has another owner. What was not appended is lost, and was never acknowledged. */
  #lost(namespace: string) {
    const owned = this.#owned.get(namespace)
    if (!owned) return
    this.#owned.delete(namespace)
    owned.log.stop(elsewhere())
    this.#worlds.abandon(namespace, owned.log.refusal!)
    // After the database is closed.
    after(0, () => after(0, () => removeFiles(owned.file)))
  }

  /** Hands a world over to another node, or releases it. Requests wait until it is done. */
  async #handOver(namespace: string, to: NodeAddress | undefined): Promise<void> {
    const owned = this.#require(namespace)
    if (owned.leaving) return void (await owned.leaving)
    owned.leaving = this.#handOverNow(owned, to)
    await owned.leaving
  }

  async #handOverNow(owned: Owned, to: NodeAddress | undefined): Promise<void> {
    const { log } = owned
    const { namespace, epoch } = log
    try {
      await this.#untilAnswered(owned)
      await this.#worlds.close(namespace, elsewhere())
      await log.settled()
      await this.#store.release({ namespace, epoch, seq: log.seq }, to?.instance ?? null)
    } catch (error) {
      ignorePassing(error)
    }
    // Where the outcome is unknown, the next claim raises the epoch.
    if (this.#owned.get(namespace) === owned) this.#owned.delete(namespace)
    log.stop(elsewhere())
    removeFiles(owned.file)
    if (to && to.instance !== this.#instance) this.#elsewhere.set(namespace, to)
  }

  /** Waits for requests that were let in. Streams and long requests are ended, where they do not end by themselves. */
  async #untilAnswered({ exchanges }: Owned) {
    const until = machineMs() + GRACE_MS
    const isBusy = () => [...exchanges].some(({ headersSent }) => !headersSent)
    while (isBusy() && machineMs() < until) await pause(1, this.#stopping.signal)
  }

  #register(): Promise<boolean> {
    this.#instance = machineSecret('')
    const { isShared } = this.#options
    return this.#store.join({ name: this.node, instance: this.#instance, url: this.#url, isShared })
  }

  #beatOn(ms: number) {
    after(ms, () => {
      this.#beating = this.#beatAndPickUp()
    })
  }

  async #beatAndPickUp() {
    if (this.#stopping.signal.aborted) return
    let next = this.#leaseMs * BEAT
    try {
      await this.#beat()
      // Scheduled work commits without a request that waits for it.
      for (const { log } of this.#owned.values()) if (!log.refusal) void log.durable()?.catch(() => undefined)
      if (this.#alive.size > 0) await this.#forgetDead()
      if (!this.#isDraining) {
        await this.#makeRequestedMoves()
        await this.#pickUp()
      }
    } catch (error) {
      if (error instanceof PostgresUnavailable) this.#why = error.message
      else this.#options.onFault(error, 'renewing the lease of this node')
      next = this.#leaseMs * BEAT_AGAIN
    }
    if (!this.#stopping.signal.aborted) this.#beatOn(next)
  }

  async #beat() {
    const sent = moment()
    const answer = await this.#pulseStore.beat(this.#instance, this.#leaseMs)
    if (!answer) return this.#rejoin()
    if (answer.lapses !== this.#lapses) await this.#checkOwned()
    this.#lapses = answer.lapses
    this.#lease.renewed(sent, answer.clockMs)
    if (answer.isDraining && !this.#isDraining) void this.drain()
  }

  /** Others may have claimed worlds while the lease was over. */
  async #checkOwned() {
    const before = [...this.#owned]
    const epochs = await this.#pulseStore.owned(this.#instance)
    for (const [namespace, { log, leaving }] of before)
      if (!leaving && epochs.get(namespace) !== log.epoch) this.#lost(namespace)
  }

  /** Another node of this name has started, or somebody has removed this one. */
  async #rejoin() {
    this.#lease.ended()
    for (const namespace of [...this.#owned.keys()]) this.#lost(namespace)
    if (!(await this.#register())) throw new PostgresUnavailable(`another node named ${this.node} is running`)
    this.#lapses = -1
  }

  async #makeRequestedMoves() {
    const moves = await this.#store.toMove(this.#instance)
    if (moves.length === 0) return
    const nodes = await this.#store.nodes()
    for (const { namespace, to } of moves) {
      const target = nodes.find(({ instance, isLive }) => instance === to && isLive)
      if (!target) continue
      // A world that this node was given, and that nobody has used since.
      if (!this.#owned.has(namespace)) await this.#claim(namespace)
      this.#handOver(namespace, target).catch((error) => this.#options.onFault(error, `moving ${namespace}`))
    }
  }

  async #forgetDead() {
    if (!this.#lease.mayJudgeOthers) return
    const live = new Set((await this.#store.nodes()).filter(({ isLive }) => isLive).map(({ instance }) => instance))
    for (const [instance, alive] of this.#alive)
      if (!live.has(instance)) {
        this.#alive.delete(instance)
        this.#forgetWorldsOf(instance)
        alive.abort()
      }
  }

  #forgetWorldsOf(instance: string) {
    for (const [namespace, owner] of this.#elsewhere) if (owner.instance === instance) this.#elsewhere.delete(namespace)
  }

  /** Opens worlds whose scheduled work is due and that no living node owns. */
  async #pickUp() {
    if (!this.#lease.mayJudgeOthers) return
    for (const namespace of await this.#store.dueWithoutOwner(PICK_UP))
      if (await this.#claim(namespace)) this.#worlds.open(namespace)
  }

  async #hasLease(until: number): Promise<boolean> {
    while (!this.#lease.isValid)
      if (machineMs() > until || !(await pause(LOOK_AGAIN_MS, this.#stopping.signal))) return false
    return true
  }

  /**
   * An answer may have been computed after the lease had ended, and another node may have changed the world before that.
   * Waits for a heartbeat, after which the world is still this node's, or was given up.
   */
  async #leaseProven(log: WorldLog): Promise<void> {
    if (this.#lease.isValid) return
    if (!(await this.#hasLease(machineMs() + this.#leaseMs * BEAT))) throw this.#withoutLease()
    if (log.refusal) throw log.refusal
  }

  #withoutLease(): Problem {
    return unavailable(
      `This node has no lease, because PostgreSQL cannot be used now: ${this.#why}. Repeat the request.`,
    )
  }
}

function removeFiles(file: string) {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
}

/** What PostgreSQL cannot do now is done later, or by another node. */
function ignorePassing(error: unknown) {
  if (!isPassing(error)) throw error
}
