import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { problem } from '../../words/problem.ts'
import type { Fence } from '../fence.ts'
import type { WorldFile } from '../file/world-file.ts'
import { machineSecret } from '../machine-secret.ts'
import { machineMs } from '../machine-time.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import { openWorldFile, type StorageBackend } from '../storage/backend.ts'
import { withLog } from '../storage/image.ts'
import { replaceOwnFile } from '../storage/own-files.ts'
import { makePrivateFolder } from '../storage/private.ts'
import { SCHEMA_VERSION } from '../storage/schema.ts'
import { Membership } from './membership.ts'
import { Neighbours } from './neighbours.ts'
import { type LocalWorlds, OwnedWorlds, type PendingAnswer, removeFiles } from './owned-worlds.ts'
import { Postgres, PostgresUnavailable, PostgresUnsuitable } from './postgres.ts'
import { prepareSchema } from './schema.ts'
import { ClusterStore, type NodeAddress, type NodeRow, type NodeSetup } from './store.ts'
import { PostgresRegistry } from './tenant-registry.ts'
import { elsewhere, orRefuse, unavailable, type WorldLog } from './world-log.ts'

export type { LocalWorlds, NodeAddress }

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

/** Options of a node that must be the same on all. */
interface NodeOptions {
  file: WorldFile
  /** Replaces that of the file. */
  seed: string | undefined
  controlToken: string | undefined
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
  /** What changes depend on that a call of this namespace makes. */
  fenceOf(namespace: string): Fence
}

/** How long a request waits for a namespace whose owner has just died, beside its lease: time to open it. */
const OPEN_MS = 3_000
const MOST_MOVE_MS = 20_000
const MOVES_AT_ONCE = 8
/** Snapshots that a node stores at a time. */
const LONG_AT_ONCE = 2
/** Worlds with scheduled work that a node picks up at a time, so that others get some of them. */
const PICK_UP = 4
/** How long it picks up worlds before it looks at its other work again, ms. */
const PICK_UP_MS = 1_000

interface EnterOptions {
  /** The request came from another node, and must not travel on. */
  isForwarded?: boolean
  /** The last known owners did not answer. */
  isAgain?: boolean
}

/** This process as a node of a cluster: which worlds it owns, and when what it has written may be shown. */
export class Cluster implements ClusterControl {
  readonly node: string
  /** What nodes show each other. */
  readonly secret: string
  /** What this node knows of the others. */
  readonly neighbours = new Neighbours()
  readonly #options: ClusterOptions
  readonly #postgres: Postgres
  readonly #long: Postgres
  readonly #store: ClusterStore
  readonly #member: Membership
  readonly #owned: OwnedWorlds
  readonly #folder: string
  #isDraining = false

  private constructor(options: ClusterOptions, postgres: Postgres, secret: string) {
    const { node, isShared, onFault } = options
    this.#options = options
    this.node = node
    this.secret = secret
    this.#postgres = postgres
    this.#long = new Postgres(options.url, { connections: LONG_AT_ONCE })
    this.#store = new ClusterStore(postgres)
    this.#member = new Membership(options)
    this.#folder = join(options.folder, 'cluster')
    rmSync(this.#folder, { recursive: true, force: true })
    makePrivateFolder(this.#folder)
    this.#owned = new OwnedWorlds({
      ...{ postgres, long: this.#long, store: this.#store, member: this.#member, neighbours: this.neighbours },
      ...{ folder: this.#folder, isShared, onFault },
    })
  }

  /** Connects and creates the tables where they are missing. Throws where PostgreSQL cannot be used. */
  static async connect(options: ClusterOptions): Promise<Cluster> {
    const postgres = new Postgres(options.url)
    try {
      return new Cluster(options, postgres, await prepareSchema(postgres, machineSecret('')))
    } catch (error) {
      await postgres.close()
      throw error instanceof PostgresUnavailable && !(error instanceof PostgresUnsuitable)
        ? new PostgresUnsuitable(`PostgreSQL cannot be used: ${error.message}.`)
        : error
    }
  }

  /** Becomes a node that others reach at an address. */
  join(url: string, worlds: LocalWorlds, { file, seed, controlToken }: NodeOptions): Promise<void> {
    this.#owned.serve(worlds)
    const setup: NodeSetup = {
      tables: SCHEMA_VERSION,
      shared: this.#options.isShared,
      world: this.#digest(JSON.stringify([file.clock, file.sections])),
      seed: this.#digest(seed ?? file.seed),
      controlToken: controlToken === undefined ? null : this.#digest(controlToken),
    }
    return this.#member.join(url, setup, {
      checkOwned: (epochs) => this.#owned.check(epochs),
      loseAll: () => this.#owned.loseAll(),
      drain: () => {
        if (!this.#isDraining) void this.drain()
      },
      afterBeat: () => this.#afterBeat(),
    })
  }

  /** Whether what PostgreSQL commits survives a power cut. */
  get isDurable(): boolean {
    return this.#postgres.isDurable
  }

  get isReady(): boolean {
    return this.#member.lease.isValid && !this.#isDraining
  }

  /**
   * Makes sure that this node may answer for a world. Undefined, or a promise of it, where it may; otherwise resolves
   * with the node to ask.
   */
  enter(namespace: string, options: EnterOptions = {}): Promise<NodeAddress | undefined> | undefined {
    const owned = this.#owned.get(namespace)
    if (owned && !owned.leaving && !owned.log.refusal && this.#member.lease.isValid) return undefined
    return this.#enter(namespace, options)
  }

  /** How long an answer may wait for PostgreSQL, or for another node, ms. */
  get answerWithinMs(): number {
    return this.#owned.answerWithinMs
  }

  get self(): NodeAddress {
    return this.#member.self
  }

  /** Notes a request, for whose answer the world stays here. */
  began(namespace: string, exchange: PendingAnswer) {
    this.#owned.began(namespace, exchange)
  }

  /** Resolves when what a world has committed may be shown; undefined if it may be shown now. */
  whenDurable(namespace: string): Promise<void> | undefined {
    const log = this.#owned.get(namespace)?.log
    if (!log) return Promise.reject(elsewhere())
    const durable = log.durable()
    if (durable) return durable.then(() => this.#leaseProven(log))
    return this.#member.lease.isValid ? undefined : this.#leaseProven(log)
  }

  readonly backend: StorageBackend = {
    names: () => [],
    open: (namespace) => {
      const owned = this.#owned.require(namespace)
      if (!owned.hasFile) return undefined
      const { file } = owned
      return openWorldFile(file, (db) => {
        owned.log.attach(file, db)
        db.beforeClose(() => owned.log.beforeClose())
      })
    },
    saveAndClose: (_, db) => db.close(),
    replace: (namespace, image, close) => {
      const owned = this.#owned.require(namespace)
      close?.()
      const bytes = withLog(image)
      removeFiles(owned.file)
      replaceOwnFile(owned.file, bytes, { isFleeting: true })
      owned.hasFile = true
      owned.log.replace(bytes)
    },
    // The log in PostgreSQL has the state before the damage.
    setAside() {},
    damaged: (namespace) => this.#owned.giveUpDamaged(namespace),
    remove: (namespace) => removeFiles(this.#owned.require(namespace).file),
    whenDurable: (namespace) => this.whenDurable(namespace),
    // None of the world that stands for this process.
    erasuresOf: (namespace) => this.#owned.get(namespace)?.erasures ?? 0,
    erase: async (namespace, fence) => {
      const { log } = this.#owned.require(namespace)
      await log.settled()
      log.stop(elsewhere())
      this.#owned.delete(namespace)
      if (!(await orRefuse(() => this.#store.erase({ namespace, epoch: log.epoch }, fence)))) throw elsewhere()
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
      this.neighbours.forgetOwner(namespace)
      if (!(await this.#enter(namespace, {}))) return
      await orRefuse(() => this.#store.askToMove(namespace, this.#member.instance))
      // Its owner gives it away, or dies.
      await this.#until(() => orRefuse(() => this.#owned.claim(namespace)))
    }
  }

  fenceOf(namespace: string): Fence {
    return { namespace, epoch: this.#owned.require(namespace).log.epoch }
  }

  /** Whether this node answers for a world, which it claims where no node does. */
  async has(namespace: string): Promise<boolean> {
    return !(await this.enter(namespace))
  }

  /** The snapshots that a world of this node may use. */
  snapshotsOf(namespace: string): Snapshots {
    return this.#owned.require(namespace).snapshots
  }

  /** The namespaces and credentials of a shared sandbox. */
  tenants(): Promise<PostgresRegistry> {
    const { url, onFault } = this.#options
    return PostgresRegistry.open(new Postgres(url, { connections: 4 }), onFault)
  }

  /** The control token of all nodes that were started without one. */
  get controlToken(): string {
    return `ct_${this.#digest('control token').slice(0, 40)}`
  }

  /** Known only to those who can read the database. */
  #digest(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('hex')
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
    const draining = this.#store.setDraining(this.#member.instance)
    await Promise.allSettled([draining, this.#owned.settleClaims()])
    const nodes = await draining.then(() => this.#store.nodes()).catch(() => [])
    const others = nodes.filter((node) => node.isLive && !node.isDraining && node.instance !== this.#member.instance)
    // Without a lease no world can be moved; the log contains all acknowledged changes.
    if (!this.#member.lease.isValid) this.#owned.loseAll()
    const rest = this.#owned.names().entries()
    const handOverRest = async () => {
      for (const [i, namespace] of rest)
        await this.#owned
          .handOver(namespace, others.length > 0 ? others[i % others.length] : undefined)
          .catch((error) => this.#options.onFault(error, `moving the namespace ${namespace}`))
    }
    await Promise.all(Array.from({ length: MOVES_AT_ONCE }, handOverRest))
  }

  async #until(isDone: () => Promise<boolean>) {
    const until = machineMs() + MOST_MOVE_MS
    while (!(await isDone()))
      if (!(await this.#member.lookAgain(until)))
        throw unavailable('The node has not given up its namespaces yet. It goes on: look at the status.')
  }

  /** Leaves the cluster. The worlds were closed before. */
  async close(): Promise<void> {
    await this.#member.stop()
    await this.#owned.releaseAll()
    await this.#member.unregister(this.#store)
    await Promise.all([this.#postgres.close(), this.#long.close(), this.#member.close()])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #enter(
    namespace: string,
    { isForwarded = false, isAgain = false }: EnterOptions,
  ): Promise<NodeAddress | undefined> {
    const until = machineMs() + this.#member.leaseMs + OPEN_MS
    let isMoveRequested = false
    // Its node may be starting, or dead with a lease that is not over.
    if (isAgain && !(await this.#member.lookAgain())) throw elsewhere()
    for (;;) {
      const owned = this.#owned.get(namespace)
      if (owned?.leaving) {
        await owned.leaving
        continue
      }
      if (owned?.log.refusal) throw owned.log.refusal
      await this.#member.requireLease(until)
      if (this.#owned.get(namespace)) return undefined
      const lastKnown = this.neighbours.ownerOf(namespace)
      if (lastKnown && !isForwarded) return lastKnown
      const owner = await orRefuse(() => this.#claimOrOwner(namespace))
      if (owner === 'claimed') return undefined
      if (isForwarded) throw elsewhere()
      if (owner && (this.#isDraining || this.neighbours.canReach(owner))) {
        this.neighbours.setOwner(namespace, owner)
        return owner
      }
      if (owner && !isMoveRequested) await orRefuse(() => this.#store.askToMove(namespace, this.#member.instance))
      isMoveRequested ||= owner !== undefined
      if (!(await this.#member.lookAgain(until))) throw elsewhere()
    }
  }

  /** Claims a world, or finds the living node that owns it. */
  async #claimOrOwner(namespace: string): Promise<'claimed' | NodeAddress | undefined> {
    const isAvailable = !this.#isDraining && !this.#owned.areRefused
    if (isAvailable && (await this.#owned.claim(namespace))) return 'claimed'
    const [owner, nodes] = await Promise.all([this.#store.ownerOf(namespace), this.#store.nodes()])
    const others = nodes.filter(({ isLive, instance }) => isLive && instance !== this.#member.instance)
    const isOwn = owner?.instance === this.#member.instance
    if (owner && !isOwn) return others.find(({ instance }) => instance === owner.instance)
    if (isAvailable) return undefined
    if (isOwn) await this.#owned.releaseStrays()
    return others.find(({ isDraining }) => !isDraining)
  }

  async #afterBeat() {
    this.#owned.append()
    if (this.neighbours.isAnyWatched && this.#member.lease.mayJudgeOthers) {
      const nodes = await this.#store.nodes()
      this.neighbours.forgetDead(new Set(nodes.filter(({ isLive }) => isLive).map(({ instance }) => instance)))
    }
    if (this.#isDraining || this.#owned.areRefused) await this.#owned.releaseStrays()
    if (this.#isDraining) return
    await this.#makeRequestedMoves()
    await this.#pickUp()
  }

  async #makeRequestedMoves() {
    const moves = await this.#store.toMove(this.#member.instance)
    if (moves.length === 0) return
    const nodes = await this.#store.nodes()
    for (const { namespace, to } of moves) {
      const target = nodes.find(({ instance, isLive }) => instance === to && isLive)
      if (!target) continue
      // Perhaps a world that this node was given, and that nobody has used since, or one that was erased meanwhile.
      if (!(await this.#owned.claim(namespace))) continue
      this.#owned.handOver(namespace, target).catch((error) => this.#options.onFault(error, `moving ${namespace}`))
    }
  }

  /** Opens worlds whose scheduled work is due and that no living node owns. */
  async #pickUp() {
    const until = machineMs() + PICK_UP_MS
    let isMore = true
    const mayPickUp = () => this.#member.lease.mayJudgeOthers && !this.#isDraining && !this.#owned.areRefused
    while (isMore && mayPickUp() && machineMs() < until) {
      const due = await this.#store.dueWithoutOwner(PICK_UP)
      isMore = (await Promise.all(due.map((namespace) => this.#owned.claimAndOpen(namespace)))).includes(true)
    }
  }

  /**
   * An answer may have been computed after the lease had ended, and another node may have changed the world before that.
   * Waits for a heartbeat, after which the world is still this node's, or was given up.
   */
  async #leaseProven(log: WorldLog): Promise<void> {
    if (this.#member.lease.isValid) return
    await this.#member.requireLease()
    if (log.refusal) throw log.refusal
  }
}
