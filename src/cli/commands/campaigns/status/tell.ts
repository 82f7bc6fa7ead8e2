import type { AnswerTo } from '../../../../client/answers.ts'
import { EXIT, Fault } from '../../../process/exit.ts'

export type CampaignState = AnswerTo<'campaigns.status'>
type Counts = CampaignState['counts']

const doneOf = ({ completed, failed, ineligible }: Counts) => completed + failed + ineligible

export const shareOf = (counts: Counts) => (counts.total === 0 ? undefined : doneOf(counts) / counts.total)

export const inWords = ({ status, counts }: CampaignState) =>
  `${status} ${doneOf(counts)}/${counts.total} · ${counts.completed} completed, ${counts.failed} failed, ${counts.ineligible} ineligible`

export const notCompleted = (state: CampaignState) =>
  new Fault(`The campaign is ${inWords(state)}.`, {
    code: 'not_completed',
    exit: EXIT.expectation,
    extra: { campaign_id: state.campaign_id, status: state.status, counts: state.counts },
  })
