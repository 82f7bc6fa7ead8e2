import type { AnswerTo } from '../../../../client/answers.ts'
import { EXIT, Fault } from '../../../process/exit.ts'

export type CampaignState = AnswerTo<'campaigns.status'>
type Counts = CampaignState['counts']

const doneOf = ({ completed, failed, ineligible }: Counts) => completed + failed + ineligible

export const shareOf = (counts: Counts) => (counts.total === 0 ? undefined : doneOf(counts) / counts.total)

export const inWords = ({ status, counts }: CampaignState) =>
  `${status} ${doneOf(counts)}/${counts.total} · ${counts.completed} completed, ${counts.failed} failed, ${counts.ineligible} ineligible`

const HINTS: Partial<Record<CampaignState['status'], string>> = {
  PAUSED_BALANCE: 'Add money, and resume it: sandbox billing topup 100, sandbox campaigns resume ID',
  PAUSED: 'Resume it: sandbox campaigns resume ID',
  PAUSED_ERROR: 'Resume it when the carrier works again: sandbox campaigns resume ID',
}

/** How a run that paused goes on. */
export const hintOf = ({ status, campaign_id }: CampaignState) => HINTS[status]?.replace('ID', campaign_id)

/** Where the way of each contact is shown. */
export const contactsOf = ({ counts, campaign_id }: CampaignState) =>
  counts.total === 0 ? undefined : `Its contacts: sandbox campaigns contacts ${campaign_id}`

export const notCompleted = (state: CampaignState) =>
  new Fault(`The campaign is ${inWords(state)}.`, {
    code: 'not_completed',
    exit: EXIT.expectation,
    hint: hintOf(state),
    extra: { campaign_id: state.campaign_id, status: state.status, counts: state.counts },
  })
