import type { Fence } from '../fence.ts'

/**
 * The tenants of a shared sandbox: namespaces with secret credentials, limits and an end, and the audit log of their
 * control calls. Worlds are stored elsewhere (world/storage); this registry decides who may use them.
 */

/** `key`: for /v1. `token`: for the control plane of one namespace. */
export type CredentialKind = 'key' | 'token'

/** Limits of one namespace; null means none. */
export interface TenantLimits {
  /** Messages kept. */
  readonly messages: number | null
  /** Bytes of the world and its snapshots. */
  readonly storageBytes: number | null
  readonly sendsPerMinute: number | null
}

export interface Tenant {
  readonly namespace: string
  /** ms since 1970, on the clock of the registry. */
  readonly createdAt: number
  /** The namespace and its data are deleted then; null means never. */
  readonly expiresAt: number | null
  readonly limits: TenantLimits
  /** Numbers of valid credentials. */
  readonly keys: number
  readonly tokens: number
}

/** The holder of a valid credential. */
export interface CredentialHolder {
  readonly namespace: string
  readonly kind: CredentialKind
  /** Public id of the credential, for the audit log: `key_` or `token_` and 12 characters. It reveals nothing of the secret. */
  readonly credentialId: string
  /** When the namespace ends, for connections that outlive their request. */
  readonly expiresAt: number | null
  readonly limits: TenantLimits
}

export interface NewCredential {
  readonly kind: CredentialKind
  readonly credentialId: string
  /** SHA-256 of the whole credential. The secret has 160 random bits, so no slow hash is needed. */
  readonly digest: Buffer
}

export interface AuditEntry {
  /** Rises by insertion; never reused. */
  readonly seq: number
  /** ms since 1970. */
  readonly at: number
  /** `admin`, or the id of the credential. */
  readonly actor: string
  /** The namespace that the call was about. */
  readonly namespace: string
  /** Id of the operation: `clock.advance`. */
  readonly operation: string
  /** Path with its query, secrets redacted. */
  readonly path: string
  readonly method: string
  /** null if the connection ended before an answer. */
  readonly status: number | null
  readonly requestId: string
}

export interface AuditQuery {
  /** Entries after this one; 0 for all. */
  readonly after: number
  /** The most entries; the newest of them. */
  readonly limit: number
  readonly namespace?: string | undefined
}

/** A change at once: revokes the credentials of some kinds, adds others, and keeps the newest of each kind. */
export interface CredentialChange {
  readonly revoke: readonly CredentialKind[]
  readonly add: readonly NewCredential[]
  readonly keep?: number
}

/**
 * Every method may be answered by another machine. A write is durable when its promise resolves, and every later
 * {@link find} of this process sees it. It depends on its fence, which is undefined if no other process writes.
 */
export interface TenantRegistry {
  /** ms since 1970, on the clock that decides when namespaces end. */
  now(): Promise<number>
  /** The holder of a credential; undefined for one that is unknown, revoked or expired. Nobody learns which. */
  find(digest: Buffer): Promise<CredentialHolder | undefined>
  /** Sorted by name, without expired ones. */
  list(): Promise<Tenant[]>
  get(namespace: string): Promise<Tenant | undefined>
  /** Returns false, and changes nothing, where the namespace exists; an expired one exists until it is deleted. */
  create(
    tenant: Pick<Tenant, 'namespace' | 'expiresAt' | 'limits'>,
    credentials: readonly NewCredential[],
    fence?: Fence,
  ): Promise<boolean>
  /** Returns false if there is no such namespace. */
  update(namespace: string, change: Partial<Pick<Tenant, 'expiresAt' | 'limits'>>, fence?: Fence): Promise<boolean>
  /** Returns false if there is no such namespace. */
  changeCredentials(namespace: string, change: CredentialChange, fence?: Fence): Promise<boolean>
  /** Removes a namespace with its credentials; its audit entries stay. */
  remove(namespace: string, fence?: Fence): Promise<void>
  /** Namespaces past their end, whose worlds are to be deleted before {@link remove}. */
  expired(): Promise<string[]>
  /** The next end of a namespace, ms since 1970. */
  nextExpiry(): Promise<number | undefined>
  /** Appends an entry. Only the newest entries are kept. */
  record(entry: Omit<AuditEntry, 'seq'>): Promise<void>
  /** In order of their numbers. */
  audit(query: AuditQuery): Promise<AuditEntry[]>
  /**
   * Calls back after credentials, limits or the end of a namespace have changed, on whatever machine: open streams are
   * checked again. Returns a function that stops it.
   */
  onChange(listener: (namespace: string) => void): () => void
  close(): Promise<void>
}
