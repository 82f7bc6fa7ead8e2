import { checkCarrier } from '../../network/carriers/actions.ts'
import { requireAgent } from '../../service/agents/actions.ts'
import { decideLaunch, move } from '../../service/agents/lifecycle.ts'
import { type AgentTrigger, agent } from '../../service/agents/states.ts'
import type { World } from '../../world/world.ts'
import type { TriggerRequest } from './contract.ts'
import {
  noStep,
  oneStep,
  preconditionFailed,
  type TriggerAction,
  type TriggerActions,
  type TriggerSubject,
  wrongState,
} from './precondition.ts'
import { statesBefore } from './rules.ts'

/** The call that leads to a needed state. Only the developer submits an agent, so no trigger does. */
const HINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PENDING_REVIEW: {
    DRAFT: 'Submit it first: sandbox agents submit ID',
    REJECTED: 'Submit it again first: sandbox agents submit ID',
  },
  APPROVED: {
    DRAFT: 'Submit it first: sandbox agents submit ID',
    PENDING_REVIEW: 'Have it approved first: sandbox trigger agent.approved --agent ID',
    REJECTED: 'Submit it again first: sandbox agents submit ID',
    SUSPENDED: 'End that first: sandbox trigger agent.reinstated --agent ID',
  },
}

const hintFor = ({ agent_id, status }: { agent_id: string; status: string }, needs: readonly string[]) =>
  HINTS[needs[0]!]?.[status]?.replace('ID', agent_id)

function rowAndSubject(world: World, { event, agent_id }: TriggerRequest) {
  const row = requireAgent(world, agent_id!)
  const subject: TriggerSubject = { event, field: 'agent_id', id: row.agent_id, state: row.status }
  return { row, subject }
}

const takes =
  (trigger: AgentTrigger): TriggerAction =>
  (world, request) => {
    const { row, subject } = rowAndSubject(world, request)
    const moved = move(world, row, trigger, request.rejection_reason)
    if (!moved) throw noStep(agent, trigger, subject, hintFor(row, statesBefore(agent, trigger)))
    return oneStep(row.agent_id, trigger, row.status, moved.status)
  }

const launched: TriggerAction = (world, request) => {
  const { row, subject } = rowAndSubject(world, request)
  const carrier = request.carrier!
  checkCarrier(world, 'carrier', carrier)
  if (row.status !== 'APPROVED') throw wrongState(subject, ['APPROVED'], false, hintFor(row, ['APPROVED']))
  const from = row.launches.find((launch) => launch.carrier === carrier)?.status ?? 'UNLAUNCHED'
  if (from === 'LAUNCHED')
    throw preconditionFailed(
      { ...subject, state: from },
      { code: 'already', message: `${row.agent_id} is LAUNCHED on ${carrier} already; nothing was changed.` },
    )
  decideLaunch(world, row, { carrier, status: 'LAUNCHED', rejection_reason: null })
  return oneStep(row.agent_id, 'launch', from, 'LAUNCHED')
}

export const agentTriggers: TriggerActions<'agent'> = {
  'agent.approved': takes('approve'),
  'agent.rejected': takes('reject'),
  'agent.launched': launched,
  'agent.suspended': takes('suspend'),
  'agent.reinstated': takes('reinstate'),
}
