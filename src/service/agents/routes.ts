import * as dashboard from '../../controls/agents/actions.ts'
import * as control from '../../controls/agents/contract.ts'
import { type Route, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.createAgent, actions.create),
  route(contract.getAgent, actions.get),
  route(contract.updateAgent, actions.update),
  route(contract.submitAgent, actions.submit),
  route(contract.launchAgent, actions.launch),
  route(control.provisionAgent, dashboard.provision),
  route(control.reviewAgent, dashboard.review),
  route(control.suspendAgent, dashboard.suspend),
  route(control.reinstateAgent, dashboard.reinstate),
  route(control.setLaunch, dashboard.setLaunch),
]
