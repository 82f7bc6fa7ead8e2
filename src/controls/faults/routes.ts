import { type Route, route } from '../../world/noun.ts'
import { add, clear, list, remove, show } from './actions.ts'
import { addFault, clearFaults, listFaults, removeFault, showFault } from './contract.ts'

export const routes: readonly Route[] = [
  route(addFault, add),
  route(listFaults, list),
  route(showFault, show),
  route(removeFault, remove),
  route(clearFaults, clear),
]
