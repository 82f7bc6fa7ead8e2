import { carrierNames } from '../../network/carriers/actions.ts'
import { requireAgent, launch as showLaunch } from '../../service/agents/actions.ts'
import { toAnswer } from '../../service/agents/answer.ts'
import { decideLaunch, move } from '../../service/agents/lifecycle.ts'
import { displayNameOf, draftOf, launchesOn } from '../../service/agents/rules.ts'
import { type AgentTrigger, agent } from '../../service/agents/states.ts'
import { type AgentRow, agentStore } from '../../service/agents/store.ts'
import { openChannelOf } from '../../service/channels/actions.ts'
import { problem } from '../../words/problem.ts'
import { suggest } from '../../words/validate.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type * as control from './contract.ts'

/** POST /_sandbox/agents: nobody reviews it, so no event tells of it. */
export const provision: Action<typeof control.provisionAgent> = (world, { body }) => {
  const { launched_on, ...given } = body
  for (const [i, carrier] of (launched_on ?? []).entries()) checkCarrier(world, `launched_on[${i}]`, carrier)
  const now = world.now()
  const carriers = carrierNames(world)
  const row: AgentRow = {
    ...draftOf(world.ids.next('ag_live_'), given, now),
    status: 'APPROVED',
    launches: JSON.stringify(launchesOn(carriers, launched_on ?? carriers, 'LAUNCHED', now)),
    approved_at: now,
  }
  world.store(agentStore).insert(row)
  openChannelOf(world, row.agent_id, displayNameOf(row))
  return toAnswer(row)
}

/** Complains of a carrier that the world does not have. */
export function checkCarrier(world: World, field: string, carrier: string) {
  const known = carrierNames(world)
  if (known.includes(carrier)) return
  const message = `must be a carrier of this world: ${known.join(', ')}${suggest(carrier, known)}`
  throw problem('validation_error', `${field}: ${message}`, { details: [{ field, code: 'invalid_value', message }] })
}

export const review: Action<typeof control.reviewAgent> = (world, { params, body }) =>
  decide(world, params.id, body.outcome === 'approved' ? 'approve' : 'reject', body.reason)

export const suspend: Action<typeof control.suspendAgent> = (world, { params }) => decide(world, params.id, 'suspend')

export const reinstate: Action<typeof control.reinstateAgent> = (world, { params }) =>
  decide(world, params.id, 'reinstate')

/** PATCH /_sandbox/agents/{id}/launch: what the carrier would decide. */
export const setLaunch: Action<typeof control.setLaunch> = (world, call) => {
  const { carrier, status, rejection_reason } = call.body
  const row = requireAgent(world, call.params.id)
  checkCarrier(world, 'carrier', carrier)
  if (row.status !== 'APPROVED')
    throw problem(
      'agent_state_conflict',
      `The agent is ${row.status}; carriers decide over the launch of one that is APPROVED.`,
      { agent_id: row.agent_id, agent_status: row.status },
    )
  const reason = status === 'REJECTED' ? (rejection_reason ?? `${carrier} has not accepted the agent.`) : null
  decideLaunch(world, row, { carrier, status, rejection_reason: reason })
  return showLaunch(world, { ...call, query: undefined, body: undefined })
}

function decide(world: World, id: string, trigger: AgentTrigger, reason?: string) {
  const row = requireAgent(world, id)
  const moved = move(world, row, trigger, reason)
  if (moved) return toAnswer(moved)
  const from = agent.steps.filter(({ on }) => on === trigger).map((step) => step.from)
  throw problem(
    'agent_state_conflict',
    `The agent is ${row.status}; to ${trigger} it, it must be ${from.join(' or ')}.`,
    {
      agent_id: row.agent_id,
      agent_status: row.status,
    },
  )
}
