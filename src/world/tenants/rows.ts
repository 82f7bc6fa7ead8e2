import type { Tenant, TenantLimits } from './registry.ts'

/** Entries of the audit log kept. */
export const MAX_AUDIT = 100_000
/** Entries above that at which the oldest are deleted. */
export const AUDIT_SLACK = 1_000

/** A namespace as both registries store it. */
export interface TenantRow {
  namespace: string
  created_at: number
  expires_at: number | null
  messages: number | null
  storage_bytes: number | null
  sends_per_minute: number | null
}

/** With the numbers of valid credentials. */
export type CountedRow = TenantRow & { keys: number; tokens: number }

export const limitsOf = ({ messages, storage_bytes, sends_per_minute }: TenantRow): TenantLimits => ({
  messages,
  storageBytes: storage_bytes,
  sendsPerMinute: sends_per_minute,
})

export const toTenant = (row: CountedRow): Tenant => ({
  namespace: row.namespace,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  limits: limitsOf(row),
  keys: row.keys,
  tokens: row.tokens,
})
