import { z } from 'zod'
import { carrierNames, checkCarrier } from '../../network/carriers/actions.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { collect } from '../../world/file/entries.ts'
import type { World } from '../../world/world.ts'
import { agentsOf } from './actions.ts'
import { launching } from './lifecycle.ts'
import { draftOf, launchesOn } from './rules.ts'
import { type Agent, agentStore, type Launch } from './store.ts'
import { type AgentEntry, ReviewTerms } from './world-file.contract.ts'

/** Loads an entry of section `agents` of a world file. */
export function loadAgent(world: World, entry: AgentEntry) {
  load(world, entry)
  check(world, entry)
}

function check(world: World, { launched_on, launches, status }: AgentEntry) {
  const refuse = (field: string, message: string) => () => {
    throw brokenField(field, 'invalid_value', message)
  }
  const input = launched_on ? 'launched_on' : 'launches'
  collect([
    ...(launched_on && launches ? [refuse('launches', 'cannot be combined with launched_on')] : []),
    ...((launched_on ?? launches) && !wasApproved(status)
      ? [refuse(input, `does not belong to an agent that is ${status}`)]
      : []),
    ...(launched_on ?? []).map((carrier, i) => () => checkCarrier(world, `launched_on[${i}]`, carrier)),
    ...Object.keys(launches ?? {}).map((carrier) => () => checkCarrier(world, `launches.${carrier}`, carrier)),
  ])
}

const wasApproved = (status: Agent['status']) => status === 'APPROVED' || status === 'SUSPENDED'

function load(world: World, { agent_id, status, launched_on, launches, rejection_reason, ...input }: AgentEntry) {
  const now = world.now()
  const carriers = wasApproved(status) ? carrierNames(world) : []
  const live = launched_on ?? (launches ? [] : carriers)
  const all = launchesOn(carriers, live, status === 'SUSPENDED' ? 'SUSPENDED' : 'LAUNCHED', now)
  const row: Agent = {
    ...draftOf(agent_id, { region: 'EUROPE', ...input }, now),
    status,
    launches: all.map((launch) => ({ ...launch, ...launchFields(launches?.[launch.carrier], now) })),
    submitted_at: status === 'DRAFT' ? null : now,
    approved_at: wasApproved(status) ? now : null,
    rejected_at: status === 'REJECTED' ? now : null,
    rejection_reason: status === 'REJECTED' ? (rejection_reason ?? world.store(agentStore).terms().reason) : null,
  }
  const launched = status === 'APPROVED' ? launching(world, row, row.launches) : {}
  world.store(agentStore).insert({ ...row, ...launched })
}

type LaunchEntry = NonNullable<AgentEntry['launches']>[string]

const launchFields = (launch: LaunchEntry | undefined, now: number): Partial<Launch> =>
  launch
    ? {
        status: launch.status,
        launched_at: launch.status === 'LAUNCHED' || launch.status === 'SUSPENDED' ? now : null,
        rejection_reason: launch.rejection_reason ?? null,
      }
    : {}

/** Dumps agents as section `agents`, without instants. */
export const dumpAgents = (world: World): z.input<typeof AgentEntry>[] =>
  byId(agentsOf(world)).map(
    ({ agent_id, status, billing_category, use_case, newsletter_enabled, profile, ...row }) => ({
      agent_id,
      status,
      billing_category,
      use_case,
      newsletter_enabled,
      ...profile,
      rejection_reason: row.rejection_reason ?? undefined,
      ...dumpLaunches(status === 'SUSPENDED' ? 'SUSPENDED' : 'LAUNCHED', row.launches),
    }),
  )

/** Sorted by id, because all agents of a new world are created at the same instant. */
const byId = (agents: Agent[]) => agents.toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1))

/** The shortest form without loss. */
function dumpLaunches(live: 'LAUNCHED' | 'SUSPENDED', launches: readonly Launch[]) {
  const launched_on = launches.filter(({ status }) => status === live).map(({ carrier }) => carrier)
  if (launched_on.length === launches.length) return {}
  if (launches.every(({ status }) => status === live || status === 'UNLAUNCHED')) return { launched_on }
  const stated = launches.filter(({ status }) => status !== 'UNLAUNCHED')
  return {
    launches: Object.fromEntries(
      stated.map(({ carrier, status, rejection_reason }) => [
        carrier,
        { status, rejection_reason: rejection_reason ?? undefined },
      ]),
    ),
  }
}

/** Section `review`. */
export function loadReview(world: World, terms: ReviewTerms) {
  world.store(agentStore).setTerms(terms)
  collect(Object.keys(terms.launch).map((carrier) => () => checkCarrier(world, `review.launch.${carrier}`, carrier)))
}

export const dumpReview = (world: World): z.input<typeof ReviewTerms> =>
  z.encode(ReviewTerms, world.store(agentStore).terms())
