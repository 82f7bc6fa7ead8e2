import { carrierNames } from '../carriers/actions.ts'
import type { World } from '../world/world.ts'
import { checkCarrier } from './dashboard.ts'
import { draftOf, launchesOn } from './rules.ts'
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

function load(world: World, { agent_id, status, launched_on, rejection_reason, ...given }: AgentEntry) {
  const now = world.now()
  const wasApproved = status === 'APPROVED' || status === 'SUSPENDED'
  const carriers = wasApproved ? carrierNames(world) : []
  const liveAs = status === 'SUSPENDED' ? 'SUSPENDED' : 'LAUNCHED'
  world.store(agentStore).insert({
    ...draftOf(agent_id, { region: 'EUROPE', ...given }, now),
    status,
    launches: JSON.stringify(launchesOn(carriers, launched_on ?? carriers, liveAs, now)),
    submitted_at: status === 'DRAFT' ? null : now,
    approved_at: wasApproved ? now : null,
    rejected_at: status === 'REJECTED' ? now : null,
    rejection_reason: status === 'REJECTED' ? (rejection_reason ?? world.store(agentStore).terms().reason) : null,
  })
}

/** Section `review`. */
export function loadReview(world: World, terms: ReviewTerms) {
  for (const carrier of Object.keys(terms.launch)) checkCarrier(world, `review.launch.${carrier}`, carrier)
  world.store(agentStore).setTerms(terms)
}
