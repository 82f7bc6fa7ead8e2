import { type Route, route } from '../../world/noun.ts'
import { pause, resume, status, trigger } from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.triggerCampaign, trigger),
  route(contract.pauseCampaign, pause),
  route(contract.resumeCampaign, resume),
  route(contract.showCampaignStatus, status),
]
