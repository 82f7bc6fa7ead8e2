import { carrierNames, checkCarrier } from '../../network/carriers/actions.ts'
import { addLiveAgent, conflict, requireAgent, launch as showLaunch } from '../../service/agents/actions.ts'
import { toAnswer } from '../../service/agents/answer.ts'
import { decideLaunch, move } from '../../service/agents/lifecycle.ts'
import { type AgentTrigger, agent } from '../../service/agents/states.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type * as contract from './contract.ts'

/** POST /_sandbox/agents. Without a review there is no review event. */
export const provision: Action<typeof contract.provisionAgent> = (world, { body }) => {
  const { launched_on, ...profile } = body
  for (const [i, carrier] of (launched_on ?? []).entries()) checkCarrier(world, `launched_on[${i}]`, carrier)
  return toAnswer(addLiveAgent(world, profile, launched_on ?? carrierNames(world)))
}

export const review: Action<typeof contract.reviewAgent> = (world, { params, body }) =>
  decide(world, params.id, body.outcome === 'approved' ? 'approve' : 'reject', body.reason)

export const suspend: Action<typeof contract.suspendAgent> = (world, { params }) => decide(world, params.id, 'suspend')

export const reinstate: Action<typeof contract.reinstateAgent> = (world, { params }) =>
  decide(world, params.id, 'reinstate')

/** PATCH /_sandbox/agents/{id}/launch: sets what the carrier would decide. */
export const setLaunch: Action<typeof contract.setLaunch> = (world, call) => {
  const { carrier, status, rejection_reason } = call.body
  const row = requireAgent(world, call.params.id)
  checkCarrier(world, 'carrier', carrier)
  if (row.status !== 'APPROVED')
    throw conflict(row, 'agent_state_conflict', 'carriers decide on the launch of an APPROVED agent.')
  const reason = status === 'REJECTED' ? (rejection_reason ?? `${carrier} has not accepted the agent.`) : null
  decideLaunch(world, row, { carrier, status, rejection_reason: reason })
  return showLaunch(world, { ...call, query: undefined, body: undefined })
}

function decide(world: World, id: string, trigger: AgentTrigger, reason?: string) {
  const row = requireAgent(world, id)
  const moved = move(world, row, trigger, reason)
  if (moved) return toAnswer(moved)
  const from = agent.steps.filter(({ on }) => on === trigger).map((step) => step.from)
  throw conflict(row, 'agent_state_conflict', `to ${trigger} it, it must be ${from.join(' or ')}.`)
}
