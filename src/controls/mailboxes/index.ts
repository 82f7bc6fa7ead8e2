import { z } from 'zod'
import { loadMailbox, mailboxesOf } from '../../network/mailboxes/actions.ts'
import { tables } from '../../network/mailboxes/store.ts'
import { loadEach } from '../../world/file/entries.ts'
import { type Noun, section } from '../../world/noun.ts'
import { MailboxEntry, MailboxFields } from './contract.ts'
import { routes } from './routes.ts'

/** Simulated mailboxes, as far as they are other than ordinary, and what their owners do. */
export const noun: Noun = {
  tables,
  routes,
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
