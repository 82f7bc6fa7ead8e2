import { machineSecret } from '../machine-secret.ts'
import { after, machineMs, pause } from '../machine-time.ts'
import { moment, NodeLease } from './lease.ts'
import { Postgres, PostgresUnavailable, PostgresUnsuitable } from './postgres.ts'
import { ClusterStore, type NodeAddress, type NodeSetup } from './store.ts'
import { unavailable } from './world-log.ts'

/** How long a node may answer after PostgreSQL has recorded that it lives, ms. */
const LEASE_MS = 3_000
/** Parts of a lease: between two heartbeats, and after one that failed. */
const BEAT = 1 / 3
const BEAT_AGAIN = 1 / 15
const LOOK_AGAIN_MS = 100
const NO_ANSWER = 'no answer'

interface MembershipOptions {
  url: string
  node: string
  leaseMs?: number | undefined
  onFault: (error: unknown, doing: string) => void
}

/** What follows from heartbeats. */
interface HeartbeatWork {
  /** Others may have claimed worlds while the lease was over. */
  checkOwned(epochs: () => Promise<ReadonlyMap<string, number>>): Promise<void>
  /** All worlds have other owners now. */
  loseAll(): void
  drain(): void
  afterBeat(): Promise<void>
}

/** This process as a member of the cluster: its name, its heartbeats, and the lease that they renew. */
export class Membership {
  readonly node: string
  readonly leaseMs: number
  readonly lease: NodeLease
  readonly #options: MembershipOptions
  /** Heartbeats never wait for other statements. */
  readonly #postgres: Postgres
  readonly #store: ClusterStore
  readonly #stopping = new AbortController()
  #work!: HeartbeatWork
  #instance = ''
  #url = ''
  #setup!: NodeSetup
  #lapses = 0
  #why = NO_ANSWER
  #beating: Promise<void> = Promise.resolve()
  /** What follows from the last heartbeats, which may take longer than a lease. */
  #working: Promise<void> | undefined

  constructor(options: MembershipOptions) {
    this.#options = options
    this.node = options.node
    this.leaseMs = options.leaseMs ?? LEASE_MS
    this.lease = new NodeLease(this.leaseMs)
    this.#postgres = new Postgres(options.url, { connections: 2 })
    this.#store = new ClusterStore(this.#postgres)
  }

  /** Becomes a node that others reach at an address. */
  async join(url: string, setup: NodeSetup, work: HeartbeatWork): Promise<void> {
    this.#work = work
    this.#url = url
    this.#setup = setup
    // A node that was killed has its name until its lease is over.
    const until = machineMs() + this.leaseMs * (1 + BEAT)
    while (!(await this.#register()))
      if (!(await this.lookAgain(until)))
        throw new PostgresUnsuitable(`A node named ${this.node} is running already. Choose another name with --node.`)
    await this.#beat()
    this.#beatOn(this.leaseMs * BEAT)
  }

  get instance(): string {
    return this.#instance
  }

  get self(): NodeAddress {
    return { instance: this.#instance, url: this.#url, name: this.node }
  }

  /** Grows when the lease was over, and others may have claimed the worlds of this node. */
  get lapses(): number {
    return this.#lapses
  }

  /** Aborts when the node stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Waits a moment, and returns false when the time is over or the node stops. */
  async lookAgain(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    return machineMs() <= until && (await pause(LOOK_AGAIN_MS, this.stopping))
  }

  /** Waits for a heartbeat where the lease is over, and throws if none succeeds in time. */
  async requireLease(until = machineMs() + this.leaseMs * BEAT): Promise<void> {
    while (!this.lease.isValid)
      if (!(await this.lookAgain(until)))
        throw unavailable(
          `This node has no lease, because PostgreSQL cannot be used now: ${this.#why}. Repeat the request.`,
        )
  }

  /** Ends the heartbeats, so that waits end too. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#beating
    await this.#working
  }

  /** Removes this node from the list. Without a lease the others have noticed, or will. */
  async unregister(store: ClusterStore): Promise<void> {
    if (this.lease.isValid) await store.removeNode(this.#instance).catch(() => undefined)
    this.lease.ended()
  }

  close(): Promise<void> {
    return this.#postgres.close()
  }

  #register(): Promise<boolean> {
    this.#instance = machineSecret('')
    return this.#store.join({ name: this.node, instance: this.#instance, url: this.#url, setup: this.#setup })
  }

  #beatOn(ms: number) {
    after(ms, () => {
      this.#beating = this.#beatAndWork()
    })
  }

  async #beatAndWork() {
    if (this.stopping.aborted) return
    let next = this.leaseMs * BEAT
    try {
      await this.#beat()
      this.#why = NO_ANSWER
      this.#working ??= this.#workOn()
    } catch (error) {
      this.#failed(error, 'renewing the lease of this node')
      next = this.leaseMs * BEAT_AGAIN
    }
    if (!this.stopping.aborted) this.#beatOn(next)
  }

  async #workOn() {
    try {
      await this.#work.afterBeat()
    } catch (error) {
      if (!(error instanceof PostgresUnavailable))
        this.#options.onFault(error, 'looking after the namespaces of this node')
    } finally {
      this.#working = undefined
    }
  }

  #failed(error: unknown, doing: string) {
    const { onFault } = this.#options
    if (!(error instanceof PostgresUnavailable)) return onFault(error, doing)
    // Once, for the operator: callers get no names of hosts and users.
    if (error instanceof PostgresUnsuitable && this.#why !== error.reason) onFault(unavailable(error.message), doing)
    this.#why = error.reason
  }

  async #beat() {
    const sent = moment()
    const answer = await this.#store.beat(this.#instance, this.leaseMs)
    if (!answer) return this.#rejoin()
    if (answer.lapses !== this.#lapses) await this.#work.checkOwned(() => this.#store.owned(this.#instance))
    this.#lapses = answer.lapses
    this.lease.renewed(sent, answer.clockMs)
    if (answer.isDraining) this.#work.drain()
  }

  /** Another node of this name has started, or somebody has removed this one. */
  async #rejoin() {
    this.lease.ended()
    this.#work.loseAll()
    if (!(await this.#register())) throw new PostgresUnavailable(`another node named ${this.node} is running`)
    this.#lapses = -1
  }
}
