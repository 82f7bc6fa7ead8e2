import { DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { LAST_INSTANT } from '../../words/instant-text.ts'
import { afterPart, Problem, problem } from '../../words/problem.ts'
import type { Fence } from '../fence.ts'
import { whenPassed } from '../machine-time.ts'
import { refuseOneMore } from '../namespace-limit.ts'
import { asProblem } from '../storage/transactions.ts'
import { Turns } from '../turns.ts'
import { digestOf, type IssuedCredential, issueCredential } from './credentials.ts'
import type { CredentialChange, CredentialHolder, Tenant, TenantLimits, TenantRegistry } from './registry.ts'

export interface TenantTerms {
  /** Time until the namespace and its data are deleted. */
  readonly ttlMs?: number | undefined
  /** Limits that differ: on a new namespace from the defaults, else from the present ones. */
  readonly limits?: Partial<TenantLimits> | undefined
}

/** Credentials, which are shown once and stored nowhere. */
export interface Issued {
  readonly tenant: Tenant
  readonly key: string
  readonly token: string
  /** Names the token in the audit log. */
  readonly tokenId: string
}

interface TenantsOptions {
  registry: TenantRegistry
  /** The most namespaces, the first one included. */
  most: number
  /** Whether a world of this name exists. */
  hasWorld: (namespace: string) => boolean | Promise<boolean>
  /** Deletes a world with its snapshots, where there is one. */
  removeWorld: (namespace: string, fence: Fence | undefined) => Promise<void>
  /** Whether this process deletes expired namespaces now. Of the nodes of a cluster, one does. */
  mayDelete: () => Promise<boolean>
  /** What these deletions depend on. */
  fence: () => Fence | undefined
  onFault: (error: unknown, doing: string) => void
}

const GIB = 1024 ** 3
const DEFAULT_LIMITS: TenantLimits = { messages: null, storageBytes: GIB, sendsPerMinute: null }

/** Credentials of each kind that stay valid when `ensure` adds more. */
const MAX_CREDENTIALS = 20

/** The longest time between two looks for expired namespaces, ms: another machine may have changed one. */
const MAX_WAIT_MS = 60_000
const RETRY_MS = 1_000

/** Access to the namespaces of a shared sandbox, and their expiry. */
export class Tenants {
  readonly registry: TenantRegistry
  readonly #options: TenantsOptions
  /** Read by every send, so kept in memory. */
  readonly #facts = new Map<string, Pick<Tenant, 'limits'>>()
  /** Changes run one after another, so that a deletion and a creation of one name do not mix. */
  readonly #turns = new Turns()
  #cancelExpiry = () => {}
  #isStopped = false

  constructor(options: TenantsOptions) {
    this.registry = options.registry
    this.#options = options
    options.registry.onChange((namespace) => {
      if (this.#isStopped) return
      this.#refresh(namespace).then(
        () => this.#arm(),
        (error) => {
          if (!isPassing(error)) options.onFault(error, 'reading the limits of a namespace')
        },
      )
    })
  }

  /** The limits of a namespace, as last read. */
  limitsOf(namespace: string): TenantLimits | undefined {
    return this.#facts.get(namespace)?.limits
  }

  /** The holder of a key or token. */
  async find(credential: string): Promise<CredentialHolder | undefined> {
    const holder = await this.registry.find(digestOf(credential))
    if (holder) this.#facts.set(holder.namespace, holder)
    return holder
  }

  create(namespace: string, terms: TenantTerms, fence?: Fence): Promise<Issued> {
    refuseAdminNamespace(namespace)
    return this.#turns.run(async () => {
      const held = (await this.#deleteExpired(fence)).fence
      if ((await this.#options.hasWorld(namespace)) && !(await this.registry.get(namespace)))
        throw problem(
          'namespace_exists',
          `There is a world ${namespace} without keys, from a start without --shared. Adopt it with "sandbox namespaces ensure ${namespace}", or delete it first.`,
        )
      const issued = await this.#create(namespace, terms, held)
      if (!issued) throw problem('namespace_exists')
      return issued
    })
  }

  /** Creates a namespace, or extends it and adds a key and a token: the ones that it has are stored as hashes only. */
  ensure(namespace: string, terms: TenantTerms, fence?: Fence): Promise<Issued & { isNew: boolean }> {
    refuseAdminNamespace(namespace)
    return this.#turns.run(async () => {
      const held = (await this.#deleteExpired(fence)).fence
      const created = await this.#create(namespace, terms, held)
      if (created) return { ...created, isNew: true }
      const before = await this.#require(namespace)
      const end = await this.#endOf(terms)
      const expiresAt = before.expiresAt === null || end === null ? before.expiresAt : Math.max(before.expiresAt, end)
      await this.registry.update(namespace, { expiresAt, limits: { ...before.limits, ...terms.limits } }, held)
      await this.#refresh(namespace)
      this.#arm()
      return { ...(await this.#issue(namespace, { revoke: [], keep: MAX_CREDENTIALS }, held)), isNew: false }
    })
  }

  /** Revokes all keys and tokens and issues new ones. */
  rotate(namespace: string, fence?: Fence): Promise<Issued> {
    return this.#turns.run(() => this.#issue(namespace, { revoke: ['key', 'token'] }, fence))
  }

  /** Revokes all keys and tokens; the data stays. */
  revoke(namespace: string, fence?: Fence): Promise<Tenant> {
    return this.#turns.run(async () => {
      const before = await this.#require(namespace)
      await this.#revokeAll(namespace, fence)
      return before
    })
  }

  /** Deletes a namespace with its world. */
  async delete(namespace: string, fence?: Fence): Promise<void> {
    await this.#turns.run(async () => {
      await this.#revokeAll(namespace, fence)
      try {
        await this.#erase(namespace, fence)
      } catch (error) {
        throw afterPart(asProblem(error), 1, `The keys and tokens of ${namespace} are revoked. Delete it again.`)
      }
    })
  }

  /** Deletes expired namespaces now, and others when they expire. */
  async start(): Promise<void> {
    for (const tenant of await this.registry.list()) this.#facts.set(tenant.namespace, tenant)
    await this.#turns.run(() => this.#deleteExpired())
    this.#arm()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelExpiry()
    await this.#turns.ended
    await this.registry.close()
  }

  async #create(namespace: string, terms: TenantTerms, fence: Fence | undefined): Promise<Issued | undefined> {
    if (await this.registry.get(namespace)) return undefined
    refuseOneMore((await this.registry.list()).length + 1, this.#options.most)
    const [key, token] = [issueCredential('key', namespace), issueCredential('token', namespace)]
    const limits = { ...DEFAULT_LIMITS, ...terms.limits }
    const tenantTerms = { namespace, expiresAt: await this.#endOf(terms), limits }
    const isNew = await this.registry.create(tenantTerms, [key.credential, token.credential], fence)
    if (!isNew) return undefined
    const tenant = await this.#require(namespace)
    this.#facts.set(namespace, tenant)
    this.#arm()
    return { tenant, ...textsOf(key, token) }
  }

  async #issue(namespace: string, change: Omit<CredentialChange, 'add'>, fence: Fence | undefined): Promise<Issued> {
    const [key, token] = [issueCredential('key', namespace), issueCredential('token', namespace)]
    const add = [key.credential, token.credential]
    if (!(await this.registry.changeCredentials(namespace, { ...change, add }, fence))) throw unknown(namespace)
    return { tenant: await this.#require(namespace), ...textsOf(key, token) }
  }

  async #refresh(namespace: string) {
    const tenant = await this.registry.get(namespace)
    if (tenant) this.#facts.set(namespace, tenant)
    else this.#facts.delete(namespace)
  }

  async #endOf({ ttlMs }: TenantTerms): Promise<number | null> {
    return ttlMs === undefined ? null : Math.min((await this.registry.now()) + ttlMs, LAST_INSTANT)
  }

  async #require(namespace: string): Promise<Tenant> {
    const tenant = await this.registry.get(namespace)
    if (!tenant) throw unknown(namespace)
    return tenant
  }

  /**
   * The first step of a deletion. A crash after it leaves a namespace without keys, which expires or is deleted again; never a key
   * to other data.
   */
  async #revokeAll(namespace: string, fence: Fence | undefined) {
    await this.registry.changeCredentials(namespace, { revoke: ['key', 'token'], add: [] }, fence)
  }

  /** The second step of a deletion. Returns the fence of later changes. */
  async #erase(namespace: string, fence: Fence | undefined): Promise<Fence | undefined> {
    await this.#options.removeWorld(namespace, fence)
    // The deletion of a world ends its epoch.
    const next = fence?.namespace === namespace ? { namespace, epoch: fence.epoch + 1 } : fence
    await this.registry.remove(namespace, next)
    return next
  }

  /** `isDone` is false if another process has to. Returns the fence of later changes, too. */
  async #deleteExpired(fence?: Fence): Promise<{ isDone: boolean; fence: Fence | undefined }> {
    const expired = await this.registry.expired()
    if (expired.length === 0) return { isDone: true, fence }
    if (!(await this.#options.mayDelete())) return { isDone: false, fence }
    let held = fence ?? this.#options.fence()
    for (const namespace of expired) {
      await this.#revokeAll(namespace, held)
      held = await this.#erase(namespace, held)
    }
    return { isDone: true, fence: held }
  }

  /** Waits for the next end of a namespace. */
  #arm() {
    this.#cancelExpiry()
    void Promise.all([this.registry.nextExpiry(), this.registry.now()]).then(
      ([at, now]) => this.#wait(at === undefined ? MAX_WAIT_MS : Math.min(Math.max(at - now, 0), MAX_WAIT_MS)),
      (error) => this.#failed(error),
    )
  }

  #wait(ms: number) {
    if (this.#isStopped) return
    this.#cancelExpiry()
    this.#cancelExpiry = whenPassed(ms, () => {
      this.#turns
        .run(() => this.#deleteExpired())
        .then(
          ({ isDone }) => (isDone ? this.#arm() : this.#wait(RETRY_MS)),
          (error) => this.#failed(error),
        )
    })
  }

  #failed(error: unknown) {
    if (this.#isStopped) return
    if (!isPassing(error)) this.#options.onFault(error, 'deleting expired namespaces')
    this.#wait(RETRY_MS)
  }
}

const textsOf = (key: IssuedCredential, token: IssuedCredential) => ({
  key: key.text,
  token: token.text,
  tokenId: token.credential.credentialId,
})

/** Another machine that cannot be reached now is tried again. */
const isPassing = (error: unknown): boolean => error instanceof Problem && error.code === 'storage_unavailable'

function refuseAdminNamespace(namespace: string) {
  if (namespace === DEFAULT_NAMESPACE)
    throw problem(
      'default_namespace',
      'The namespace default belongs to the administrator and has no keys. Choose another name.',
    )
}

const unknown = (namespace: string) =>
  problem('not_found', `There is no namespace ${namespace}; sandbox namespaces list shows all.`)
