import { type Route, route } from '../world/noun.ts'
import { pause, resume, status, trigger } from './actions.ts'
import * as contract from './contract.ts'
import { define, event, run, show } from './dashboard.ts'
import { campaignEvent, defineCampaign, runCampaign, showCampaign } from './dashboard-contract.ts'

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
