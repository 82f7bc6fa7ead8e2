import { SECOND } from '../../words/duration.ts'
import type { ProblemCode } from '../../words/problem.ts'
import { PAUSED_STATUSES } from '../../words/statuses.ts'
import type { CampaignStatus, RunCounts } from '../../words/vocabulary.ts'
import { recipientRefusals, senderRefusals } from '../messages/contract.ts'

/** Consecutive provider errors that stop a run (choices, "Circuit breaker"). */
const BREAKER = 10

export const isBroken = (errorsInARow: number): boolean => errorsInARow >= BREAKER

/** Why a contact ended before the end of the flow: the refusal of its send, or what the campaign found itself. */
export type Hindrance = ProblemCode | 'no_address' | 'contact_deleted' | 'too_many_tags' | 'message_lost'

/** Interface §2.8: no consent, no capable device, or a channel that is not approved. */
const INELIGIBLE: ReadonlySet<Hindrance> = new Set([
  'no_address',
  'contact_deleted',
  ...senderRefusals,
  ...recipientRefusals,
])

export const endOf = (hindrance: Hindrance): 'ineligible' | 'failed' =>
  INELIGIBLE.has(hindrance) ? 'ineligible' : 'failed'

/** A fallback is for contacts that the channel cannot reach, never for those who must not be sent to. */
export const takesFallback = (hindrance: Hindrance): boolean =>
  hindrance === 'device_not_rcs_capable' || hindrance === 'no_address'

/** Maximum number of sends per batch. A batch takes a few ms at most, because requests wait. */
const MAX_SENDS = 10

interface Paced {
  throughput: number
  flow: readonly { node: string }[]
}

/** The number of contacts that begin together, and the world ms until the next ones. */
export function paceOf({ throughput, flow }: Paced): { batch: number; everyMs: number } {
  const sends = flow.filter(({ node }) => node === 'SEND').length
  const maxBatch = Math.floor(MAX_SENDS / Math.max(1, sends))
  const batch = Math.max(1, Math.min(maxBatch, Math.ceil(throughput / 50)))
  return { batch, everyMs: Math.max(1, Math.round((batch * SECOND) / throughput)) }
}

export const isDone = ({ pending, in_progress }: RunCounts): boolean => pending + in_progress === 0

/** Choices, "COMPLETED / COMPLETED_PARTIAL". */
export const finishOf = ({ failed, ineligible }: RunCounts) =>
  failed + ineligible > 0 ? 'finish with losses' : 'finish'

export const pauseReasonOf = (status: CampaignStatus) => PAUSED_STATUSES.find((pause) => pause === status) ?? null

/** A run is open until it is completed, paused or not. */
export const hasOpenRun = (status: CampaignStatus): boolean => status === 'RUNNING' || pauseReasonOf(status) !== null
