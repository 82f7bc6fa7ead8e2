import { define, event, run, show } from '../../controls/campaigns/actions.ts'
import { defineCampaign, raiseCampaignEvent, runCampaign, showCampaign } from '../../controls/campaigns/contract.ts'
import { type Route, route } from '../../world/noun.ts'
import { pause, resume, status, trigger } from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.triggerCampaign, trigger),
  route(contract.pauseCampaign, pause),
  route(contract.resumeCampaign, resume),
  route(contract.showCampaignStatus, status),
  route(defineCampaign, define),
  route(showCampaign, show),
  route(runCampaign, run),
  route(raiseCampaignEvent, event),
]
