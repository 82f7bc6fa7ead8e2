import * as dashboard from '../../controls/agents/actions.ts'
import * as control from '../../controls/agents/contract.ts'
import { type Route, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.create, actions.create),
  route(contract.get, actions.get),
  route(contract.update, actions.update),
  route(contract.submit, actions.submit),
  route(contract.launch, actions.launch),
  route(control.provision, dashboard.provision),
  route(control.review, dashboard.review),
  route(control.suspend, dashboard.suspend),
  route(control.reinstate, dashboard.reinstate),
  route(control.setLaunch, dashboard.setLaunch),
]
