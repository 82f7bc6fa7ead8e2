import { type Noun, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const noun: Noun = {
  routes: [
    route(contract.provisionAgent, actions.provision),
    route(contract.reviewAgent, actions.review),
    route(contract.suspendAgent, actions.suspend),
    route(contract.reinstateAgent, actions.reinstate),
    route(contract.setLaunch, actions.setLaunch),
  ],
}
