import { requireCampaign } from '../../service/campaigns/actions.ts'
import { move } from '../../service/campaigns/run.ts'
import { type Trigger, campaign as table } from '../../service/campaigns/states.ts'
import { oneStep, type Pull, type Pulls } from './moves.ts'
import { type Subject, wrongState } from './precondition.ts'
import { leadsTo, pathTo, statesBefore } from './rules.ts'

const HINT = 'A run is started with sandbox campaigns trigger, run or event, and goes on with resume.'

const moves =
  (trigger: Trigger): Pull =>
  (world, { event, campaign_id }) => {
    const campaign = requireCampaign(world, campaign_id!)
    const { status } = campaign
    const subject: Subject = { event, field: 'campaign_id', id: campaign.campaign_id, state: status }
    const step = pathTo(table, status, trigger)?.[0]
    if (!step) throw wrongState(subject, statesBefore(table, trigger), leadsTo(table, trigger, status), HINT)
    move(world, campaign, trigger)
    return oneStep(campaign.campaign_id, trigger, step.from, step.to)
  }

export const campaignPulls: Pulls<'campaign'> = {
  'campaign.paused_error': moves('break'),
  'campaign.paused_balance': moves('exhaust'),
}
