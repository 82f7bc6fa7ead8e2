import { z } from 'zod'
import { type Noun, route, section } from '../world/noun.ts'
import { update } from './actions.ts'
import { CarrierProfile, MagicRecipient, MailProfile, updateCarrier } from './contract.ts'
import { carrierStore, tables } from './store.ts'

/** The simulated network: who carries what how fast, and what becomes of it. */
export const carriers: Noun = {
  tables,
  routes: [route(updateCarrier, update)],
  sections: [
    section('carriers', z.array(CarrierProfile).min(1), (world, list) => {
      for (const profile of list) world.store(carrierStore).insertCarrier(profile)
    }),
    section('mail', MailProfile, (world, profile) => world.store(carrierStore).setMail(profile)),
    section('magic_recipients', z.array(MagicRecipient), (world, list) => {
      for (const recipient of list) world.store(carrierStore).insertMagic(recipient)
    }),
  ],
}
