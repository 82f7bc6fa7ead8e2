import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as deliveries from './deliveries.ts'
import { stream } from './stream.ts'
import { wait } from './wait.ts'

export const noun: Noun = {
  routes: routesOf(
    contract,
    { ...actions, ...deliveries, stream, wait },
    { sendEdited: 'async', wait: 'letsTimePass' },
  ),
}
