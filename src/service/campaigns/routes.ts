import { define, event, run, show } from '../../controls/campaigns/actions.ts'
import { campaignEvent, defineCampaign, runCampaign, showCampaign } from '../../controls/campaigns/contract.ts'
import { type Route, route } from '../../world/noun.ts'
import { pause, resume, status, trigger } from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.trigger, trigger),
  route(contract.pause, pause),
  route(contract.resume, resume),
  route(contract.status, status),
  route(defineCampaign, define),
  route(showCampaign, show),
  route(runCampaign, run),
  route(campaignEvent, event),
]
