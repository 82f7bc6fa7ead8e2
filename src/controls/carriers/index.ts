import * as contract from '../../network/carriers/contract.ts'
import { type Noun, route } from '../../world/noun.ts'
import * as control from './actions.ts'

/** Shows and changes the simulated carriers. */
export const noun: Noun = {
  routes: [
    route(contract.listCarriers, control.list),
    route(contract.updateCarriers, control.updateAll),
    route(contract.resetCarriers, control.resetAll),
    route(contract.showCarrier, control.show),
    route(contract.updateCarrier, control.update),
    route(contract.resetCarrier, control.reset),
  ],
}
