import { type Noun, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const noun: Noun = {
  routes: [
    route(contract.defineCampaign, actions.define),
    route(contract.showCampaign, actions.show),
    route(contract.runCampaign, actions.run),
    route(contract.raiseCampaignEvent, actions.event),
  ],
}
