import { type Route, route } from '../world/noun.ts'
import * as contract from './contract.ts'
import * as control from './control.ts'

export const routes: readonly Route[] = [
  route(contract.listCarriers, control.list),
  route(contract.updateCarriers, control.updateAll),
  route(contract.resetCarriers, control.resetAll),
  route(contract.showCarrier, control.show),
  route(contract.updateCarrier, control.update),
  route(contract.resetCarrier, control.reset),
]
