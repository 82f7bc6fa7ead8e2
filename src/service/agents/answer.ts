import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import { brandFields } from './rules.ts'
import type { Agent } from './store.ts'

/** The agent as the interface shows it. */
export const toAnswer = ({ profile, launches: _, timer_id: __, ...agent }: Agent) => ({
  ...agent,
  ...(Object.fromEntries(brandFields.map((field) => [field, profile[field] ?? null])) as Shown),
  created_at: isoTime(agent.created_at),
  submitted_at: isoTimeOrNull(agent.submitted_at),
  approved_at: isoTimeOrNull(agent.approved_at),
  rejected_at: isoTimeOrNull(agent.rejected_at),
})

type Shown = Record<(typeof brandFields)[number], string | null>
