import { z } from 'zod'
import { loadEach } from '../world/entries.ts'
import { type Noun, route, section } from '../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { MailboxEntry, MailboxFields } from './contract.ts'
import * as deedContract from './deed-contract.ts'
import * as deeds from './deeds.ts'
import { loadMailbox, mailboxesOf } from './settings.ts'
import { tables } from './store.ts'

/** Simulated mailboxes, as far as they are other than ordinary, and what their owners do. */
export const mailboxes: Noun = {
  tables,
  routes: [
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
  ],
  sections: [
    section(
      'mailboxes',
      z.array(MailboxEntry).describe('Mailboxes that are other than ordinary, and what their owners do.'),
      (world, entries) => {
        loadEach('mailboxes', entries, ({ address, ...settings }) => loadMailbox(world, address, settings))
      },
      (world) =>
        [...mailboxesOf(world)].map(([address, settings]) => ({ address, ...z.encode(MailboxFields, settings) })),
    ),
  ],
}
