import { type Noun, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as userActions from './user-actions.ts'

/** Simulated phones, and what their users do. */
export const noun: Noun = {
  routes: [
    route(contract.listHandsets, actions.list),
    route(contract.showHandset, actions.show),
    route(contract.setHandset, actions.set),
    route(contract.resetHandset, actions.reset),
    route(contract.showHandsetInbox, actions.inbox),
    route(contract.replyFromHandset, userActions.reply),
    route(contract.tapOnHandset, userActions.tap),
  ],
}
