import { definedFields } from '../../words/fields.ts'
import type { Detail } from '../../words/problem.ts'
import type { MessageType, TrafficType } from '../../words/vocabulary.ts'
import { type BrandField, type BrandProfile, brand, type UseCase } from './contract.ts'
import type { Agent, Launch } from './store.ts'

/** Interface §2.7, "Allowed message types per use_case". */
export const messageTypesOf: Readonly<Record<UseCase, readonly MessageType[]>> = {
  OTP: ['MESSAGE'],
  TRANSACTIONAL: ['MESSAGE', 'CONVERSATION'],
  PROMOTIONAL: ['MESSAGE', 'NEWSLETTER'],
  MULTI_USE: ['MESSAGE', 'CONVERSATION', 'NEWSLETTER'],
}

/** Interface §2.7, "Permitted traffic_type per use_case"; another one is rejected at the carrier. */
export const trafficTypesOf: Readonly<Record<UseCase, readonly TrafficType[]>> = {
  OTP: ['AUTHENTICATION'],
  TRANSACTIONAL: ['TRANSACTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
  PROMOTIONAL: ['PROMOTION'],
  MULTI_USE: ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
}

export const brandFields = Object.keys(brand) as BrandField[]

/** Brand fields that are missing, where the world demands a complete profile. */
export const missingOf = (profile: BrandProfile): Detail[] =>
  brandFields
    .filter((field) => profile[field] === undefined)
    .map((field) => ({ field, code: 'required', message: 'is needed for the review' }))

/** Applies an edit; null removes a field. */
export function editedProfile(
  before: BrandProfile,
  edit: { [F in BrandField]?: string | null | undefined },
): BrandProfile {
  const merged = brandFields.map((field) => [field, edit[field] === undefined ? before[field] : edit[field]] as const)
  return Object.fromEntries(merged.filter(([, value]) => value != null))
}

/** The fields of a new agent. */
export type AgentInput = Pick<Agent, 'region' | 'billing_category' | 'use_case' | 'newsletter_enabled'> & {
  [F in BrandField]?: string | undefined
}

/** A new, unreviewed agent. */
export function draftOf(agent_id: string, input: AgentInput, now: number): Agent {
  const { region, billing_category, use_case, newsletter_enabled, ...profile } = input
  return {
    agent_id,
    status: 'DRAFT',
    region,
    billing_category,
    use_case,
    newsletter_enabled,
    profile: definedFields(profile),
    launches: [],
    created_at: now,
    submitted_at: null,
    approved_at: null,
    rejected_at: null,
    rejection_reason: null,
    timer_id: null,
  }
}

/** Launches of a new agent: live on the given carriers only. */
export const launchesOn = (
  carriers: readonly string[],
  live: readonly string[],
  status: 'LAUNCHED' | 'SUSPENDED',
  now: number,
): Launch[] =>
  carriers.map((carrier) => ({
    carrier,
    status: live.includes(carrier) ? status : 'UNLAUNCHED',
    launched_at: live.includes(carrier) ? now : null,
    rejection_reason: null,
  }))

/** Launches of a newly approved agent: every carrier is pending. */
export const pendingLaunches = (carriers: readonly string[]): Launch[] =>
  carriers.map((carrier) => ({ carrier, status: 'PENDING', launched_at: null, rejection_reason: null }))

export const suspended = (launches: readonly Launch[]): Launch[] =>
  launches.map((launch) => (launch.status === 'LAUNCHED' ? { ...launch, status: 'SUSPENDED' } : launch))

export const resumed = (launches: readonly Launch[]): Launch[] =>
  launches.map((launch) => (launch.status === 'SUSPENDED' ? { ...launch, status: 'LAUNCHED' } : launch))

/** Applies a launch set by hand. A suspended agent keeps the instant of its first launch. */
export function launchSet(
  launches: readonly Launch[],
  carriers: readonly string[],
  update: Pick<Launch, 'carrier' | 'status' | 'rejection_reason'>,
  now: number,
): Launch[] {
  const all = carriers.map(
    (carrier): Launch =>
      launches.find((launch) => launch.carrier === carrier) ?? {
        carrier,
        status: 'UNLAUNCHED',
        launched_at: null,
        rejection_reason: null,
      },
  )
  return all.map((launch) =>
    launch.carrier === update.carrier ? { ...update, launched_at: liveSince(launch, update, now) } : launch,
  )
}

function liveSince(before: Launch, { status }: Pick<Launch, 'status'>, now: number): number | null {
  if (status === 'LAUNCHED') return before.status === 'LAUNCHED' ? before.launched_at : now
  return status === 'SUSPENDED' ? (before.launched_at ?? now) : null
}

/** Applies the decision of one carrier. */
export function withDecision(
  launches: readonly Launch[],
  carrier: string,
  rejection: string | null,
  now: number,
): Launch[] {
  const decision: Partial<Launch> =
    rejection === null ? { status: 'LAUNCHED', launched_at: now } : { status: 'REJECTED', rejection_reason: rejection }
  return launches.map((launch) => (launch.carrier === carrier ? { ...launch, ...decision } : launch))
}
