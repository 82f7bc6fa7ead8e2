import { requireCampaign } from '../../service/campaigns/actions.ts'
import { move } from '../../service/campaigns/run.ts'
import { type CampaignStateTrigger, campaign as table } from '../../service/campaigns/states.ts'
import { noStep, oneStep, type TriggerAction, type TriggerActions, type TriggerSubject } from './precondition.ts'

const HINT = 'Start a run with sandbox campaigns trigger, run or event, or resume it with sandbox campaigns resume.'

const moves =
  (trigger: CampaignStateTrigger): TriggerAction =>
  (world, { event, campaign_id }) => {
    const campaign = requireCampaign(world, campaign_id!)
    const { status } = campaign
    const subject: TriggerSubject = { event, field: 'campaign_id', id: campaign.campaign_id, state: status }
    const moved = move(world, campaign, trigger)
    if (!moved) throw noStep(table, trigger, subject, HINT)
    return oneStep(campaign.campaign_id, trigger, status, moved.status)
  }

export const campaignTriggers: TriggerActions<'campaign'> = {
  'campaign.paused_error': moves('break'),
  'campaign.paused_balance': moves('exhaust'),
}
