import { type Route, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.createAgent, actions.create),
  route(contract.getAgent, actions.get),
  route(contract.updateAgent, actions.update),
  route(contract.submitAgent, actions.submit),
  route(contract.launchAgent, actions.launch),
]
