import { carrierNames } from '../../network/carriers/actions.ts'
import { existing, messageOf, type ProblemCode, problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { openChannelOf } from '../channels/actions.ts'
import { toAnswer } from './answer.ts'
import type * as contract from './contract.ts'
import { move, reviewDays } from './lifecycle.ts'
import { type AgentInput, draftOf, editedProfile, launchesOn, missingOf } from './rules.ts'
import { agent } from './states.ts'
import { type Agent, agentStore } from './store.ts'

export type { Agent }

export const agentById = (world: World, id: string): Agent | undefined => world.store(agentStore).get(id)

export const agentsOf = (world: World): Agent[] => world.store(agentStore).list()

export const isLaunchedOn = (agent: Agent, carrier: string): boolean =>
  agent.launches.some((launch) => launch.carrier === carrier && launch.status === 'LAUNCHED')

export const isLaunchedAnywhere = (agent: Agent): boolean => agent.launches.some(({ status }) => status === 'LAUNCHED')

export const requireAgent = (world: World, id: string): Agent => existing(agentById(world, id), 'agent', id)

export const create: Action<typeof contract.createAgent> = (world, { body }) => {
  const row = draftOf(world.ids.next('ag_draft_'), body, world.now())
  world.store(agentStore).insert(row)
  return toAnswer(row)
}

/** Creates an agent that is approved and live on these carriers. Without a review there is no review event. */
export function addLiveAgent(world: World, input: AgentInput, live: readonly string[]): Agent {
  const now = world.now()
  const row: Agent = {
    ...draftOf(world.ids.next('ag_live_'), input, now),
    status: 'APPROVED',
    launches: launchesOn(carrierNames(world), live, 'LAUNCHED', now),
    approved_at: now,
  }
  world.store(agentStore).insert(row)
  openChannelOf(world, row.agent_id, row.profile.display_name)
  return row
}

export const get: Action<typeof contract.getAgent> = (world, { params }) => toAnswer(requireAgent(world, params.id))

export const update: Action<typeof contract.updateAgent> = (world, { params, body }) => {
  const row = requireAgent(world, params.id)
  const { use_case, ...edit } = body
  if (!agent.next(row.status, 'edit'))
    throw conflict(
      row,
      'agent_not_editable',
      'its brand profile can be changed before submission and after a rejection.',
    )
  if (use_case !== undefined && row.status !== 'DRAFT')
    throw problem('agent_not_editable', 'use_case is fixed once the agent is submitted (interface §2.7).', {
      details: [{ field: 'use_case', code: 'immutable', message: 'is fixed once the agent is submitted' }],
      ...standOf(row),
    })
  const profile = editedProfile(row.profile, edit)
  return toAnswer(move(world, { ...row, profile, use_case: use_case ?? row.use_case }, 'edit')!)
}

const standOf = ({ agent_id, status }: Agent) => ({ agent_id, agent_status: status })

/** The refusal where the status of an agent does not permit an action; `needs` names the statuses that would. */
export const conflict = (row: Agent, code: ProblemCode, needs: string) =>
  problem(code, `The agent is ${row.status}; ${needs}`, standOf(row))

export const submit: Action<typeof contract.submitAgent> = (world, { params, body }) => {
  const row = requireAgent(world, params.id)
  if (!agent.next(row.status, 'submit'))
    throw problem(
      'agent_not_submittable',
      messageOf('agent_not_submittable', `The agent is ${row.status}.`),
      standOf(row),
    )
  checkNewsletterFlag(row, body.newsletter_enabled)
  checkProfile(world, row)
  const { submitted_at, newsletter_enabled } = move(world, row, 'submit')!
  return {
    agent_id: row.agent_id,
    status: 'PENDING_REVIEW',
    submitted_at: isoTime(submitted_at!),
    estimated_review_days: reviewDays(world),
    newsletter_enabled,
  }
}

/** The flag is fixed at creation (interface §2.7). */
function checkNewsletterFlag({ agent_id, newsletter_enabled }: Agent, requested: boolean | undefined) {
  const details = [
    { field: 'newsletter_enabled', code: 'immutable', message: 'was decided when the agent was created' },
  ]
  if (requested === true && !newsletter_enabled)
    throw problem('newsletter_not_enabled', undefined, { details, agent_id })
  const message = 'newsletter_enabled: was set when the agent was created and cannot be removed.'
  if (requested === false && newsletter_enabled) throw problem('validation_error', message, { details })
}

function checkProfile(world: World, { agent_id, profile }: Agent) {
  if (world.store(agentStore).terms().profile === 'optional') return
  const details = missingOf(profile)
  if (details.length === 0) return
  const fields = details.map(({ field }) => field).join(', ')
  const message = `The brand profile lacks ${fields}. Add them with PATCH /v1/rcs/agents/{id}.`
  throw problem('agent_profile_incomplete', message, { details, agent_id })
}

export const launch: Action<typeof contract.launchAgent> = (world, { params }) => {
  const { agent_id, status, launches } = requireAgent(world, params.id)
  const carriers = launches.map((launch) => ({ ...launch, launched_at: isoTimeOrNull(launch.launched_at) }))
  return { agent_id, agent_status: status, carriers }
}
