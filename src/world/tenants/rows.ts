import type { CredentialHolder, Tenant, TenantLimits } from './registry.ts'

/** Entries of the audit log kept. */
export const MAX_AUDIT = 100_000
/** Entries above that at which the oldest are deleted. */
export const AUDIT_SLACK = 1_000

const LIMITS = 'messages, storage_bytes AS "storageBytes", sends_per_minute AS "sendsPerMinute"'

/** The columns of a namespace `t` and of a credential `c`, as both registries store them. */
export const TENANT_COLUMNS = `t.namespace, t.created_at AS "createdAt", expires_at AS "expiresAt", ${LIMITS}`
export const HOLDER_COLUMNS = `namespace, kind, credential_id AS "credentialId", expires_at AS "expiresAt", ${LIMITS}`

type Row<Record extends { limits: TenantLimits }> = Omit<Record, 'limits'> & TenantLimits
export type TenantRow = Row<Tenant>
export type HolderRow = Row<CredentialHolder>

export const toTenant = ({ messages, storageBytes, sendsPerMinute, ...row }: TenantRow): Tenant => ({
  ...row,
  limits: { messages, storageBytes, sendsPerMinute },
})

export const toHolder = ({ namespace, kind, credentialId, expiresAt, ...row }: HolderRow): CredentialHolder => ({
  namespace,
  kind,
  credentialId,
  expiresAt,
  limits: { messages: row.messages, storageBytes: row.storageBytes, sendsPerMinute: row.sendsPerMinute },
})
