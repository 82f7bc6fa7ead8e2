import { type Route, route } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as deedContract from './user-actions.contract.ts'
import * as deeds from './user-actions.ts'

export const routes: readonly Route[] = [
  route(contract.listMailboxes, actions.list),
  route(contract.showMailbox, actions.show),
  route(contract.setMailbox, actions.set),
  route(contract.resetMailbox, actions.reset),
  route(contract.mailboxInbox, actions.inbox),
  route(deedContract.openEmail, deeds.open),
  route(deedContract.clickEmail, deeds.click),
  route(deedContract.bounceEmail, deeds.bounce),
  route(deedContract.complainOfEmail, deeds.complain),
  route(deedContract.unsubscribeByEmail, deeds.unsubscribe),
]
