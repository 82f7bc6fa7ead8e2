import { z } from 'zod'
import { listSection, type Noun, section } from '../../world/noun.ts'
import { carriersOf, magicRecipientsOf } from './actions.ts'
import { CarrierList, CarrierProfile, MagicRecipient, MailProfile } from './contract.ts'
import { carrierStore, tables } from './store.ts'

/** The simulated network: carriers, the mail server and magic recipients. */
export const noun: Noun = {
  tables,
  sections: [
    listSection(
      'carriers',
      CarrierList,
      (world, profile) => world.store(carrierStore).insertCarrier(profile),
      (world) =>
        carriersOf(world).map((profile) =>
          z.encode(CarrierProfile, { ...profile, throughput: profile.throughput ?? undefined }),
        ),
    ),
    section(
      'mail',
      MailProfile.prefault({}).describe(
        'Simulated mail server: delays, and shares of bounces, opens, clicks and spam complaints.',
      ),
      (world, profile) => world.store(carrierStore).setMail(profile),
      (world) => z.encode(MailProfile, world.store(carrierStore).mail()),
    ),
    listSection(
      'magic_recipients',
      z.array(MagicRecipient).describe('Phone numbers and email addresses with a fixed outcome.'),
      (world, recipient) => world.store(carrierStore).insertMagic(recipient),
      (world) => magicRecipientsOf(world).map((recipient) => z.encode(MagicRecipient, recipient)),
    ),
  ],
}
