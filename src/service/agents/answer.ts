import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import { type BrandProfile, brandFields } from './rules.ts'
import type { AgentRow } from './store.ts'

/** The agent as the interface shows it. */
export function toAnswer(row: AgentRow) {
  const profile: BrandProfile = JSON.parse(row.profile)
  return {
    agent_id: row.agent_id,
    status: row.status,
    region: row.region,
    billing_category: row.billing_category,
    use_case: row.use_case,
    newsletter_enabled: row.newsletter_enabled === 1,
    ...(Object.fromEntries(brandFields.map((field) => [field, profile[field] ?? null])) as Shown),
    created_at: isoTime(row.created_at),
    submitted_at: isoTimeOrNull(row.submitted_at),
    approved_at: isoTimeOrNull(row.approved_at),
    rejected_at: isoTimeOrNull(row.rejected_at),
    rejection_reason: row.rejection_reason,
  }
}

type Shown = Record<(typeof brandFields)[number], string | null>
