import { carrierNames } from '../carriers/actions.ts'
import type { World } from '../world/world.ts'
import { checkCarrier } from './dashboard.ts'
import { launchesOn } from './rules.ts'
import { agentStore } from './store.ts'
import type { AgentEntry, ReviewTerms } from './world-contract.ts'

/** Section `agents` of a world file. */
export function loadAgents(world: World, entries: readonly AgentEntry[]) {
  for (const [i, entry] of entries.entries()) {
    for (const [j, carrier] of (entry.launched_on ?? []).entries())
      checkCarrier(world, `agents[${i}].launched_on[${j}]`, carrier)
    load(world, entry)
  }
}

function load(world: World, entry: AgentEntry) {
  const {
    agent_id,
    status,
    billing_category,
    use_case,
    newsletter_enabled,
    launched_on,
    rejection_reason,
    ...profile
  } = entry
  const now = world.now()
  const isApproved = status === 'APPROVED' || status === 'SUSPENDED'
  const carriers = isApproved ? carrierNames(world) : []
  world.store(agentStore).insert({
    agent_id,
    status,
    region: 'EUROPE',
    billing_category,
    use_case,
    newsletter_enabled: newsletter_enabled ? 1 : 0,
    profile: JSON.stringify(profile),
    launches: JSON.stringify(
      launchesOn(carriers, launched_on ?? carriers, status === 'SUSPENDED' ? 'SUSPENDED' : 'LAUNCHED', now),
    ),
    created_at: now,
    submitted_at: status === 'DRAFT' ? null : now,
    approved_at: isApproved ? now : null,
    rejected_at: status === 'REJECTED' ? now : null,
    rejection_reason: status === 'REJECTED' ? (rejection_reason ?? world.store(agentStore).terms().reason) : null,
    timer_id: null,
  })
}

/** Section `review`. */
export function loadReview(world: World, terms: ReviewTerms) {
  for (const carrier of Object.keys(terms.launch)) checkCarrier(world, `review.launch.${carrier}`, carrier)
  world.store(agentStore).setTerms(terms)
}
