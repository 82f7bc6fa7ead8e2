import { type Route, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.addRule, actions.add),
  route(contract.listRules, actions.list),
  route(contract.clearRules, actions.clear),
  route(contract.showRule, actions.show),
  route(contract.updateRule, actions.update),
  route(contract.removeRule, actions.remove),
]
