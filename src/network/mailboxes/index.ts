import { z } from 'zod'
import { listSection, type Noun } from '../../world/noun.ts'
import { mailboxes } from './actions.ts'
import { MailboxEntry, MailboxFields } from './contract.ts'

/** Simulated mailboxes with custom settings, and the behaviour of their owners. */
export const noun: Noun = {
  tables: mailboxes.tables,
  sections: [
    listSection(
      'mailboxes',
      z.array(MailboxEntry).describe('Mailboxes with custom settings, and the behaviour of their owners.'),
      (world, { address, ...settings }) => mailboxes.load(world, address.toLowerCase(), settings),
      (world) =>
        [...mailboxes.of(world)].map(([address, settings]) => ({ address, ...z.encode(MailboxFields, settings) })),
    ),
  ],
}
