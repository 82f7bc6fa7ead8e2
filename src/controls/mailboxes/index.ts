import { type Noun, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as userActionContract from './user-actions.contract.ts'
import * as userActions from './user-actions.ts'

/** Simulated mailboxes, and what their owners do. */
export const noun: Noun = {
  routes: [
    route(contract.listMailboxes, actions.list),
    route(contract.showMailbox, actions.show),
    route(contract.setMailbox, actions.set),
    route(contract.resetMailbox, actions.reset),
    route(contract.showMailboxInbox, actions.inbox),
    route(userActionContract.openEmail, userActions.open),
    route(userActionContract.clickEmail, userActions.click),
    route(userActionContract.bounceEmail, userActions.bounce),
    route(userActionContract.complainOfEmail, userActions.complain),
    route(userActionContract.unsubscribeByEmail, userActions.unsubscribe),
  ],
}
