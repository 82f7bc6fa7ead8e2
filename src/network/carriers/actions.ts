import { withinRange } from '../../words/range.ts'
import type { World } from '../../world/world.ts'
import { handsetOf } from '../handsets/actions.ts'
import type { Layer } from './behaviour.ts'
import type { CarrierProfile, MagicRecipient, MailProfile } from './contract.ts'
import { carrierByDraw, withoutLabel } from './rules.ts'
import { carrierStore } from './store.ts'

/** A phone as the simulated network knows it. */
export interface Device {
  carrier: CarrierProfile
  rcsCapable: boolean
  /** Switched off, it receives what is sent to it when it is on again. */
  isOn: boolean
}

export const carriersOf = (world: World): CarrierProfile[] => world.store(carrierStore).carriers()

export const carrierNames = (world: World): string[] => carriersOf(world).map(({ name }) => name)

/** A carrier of this world, by its name. */
export const carrierNamed = (world: World, name: string): CarrierProfile =>
  carriersOf(world).find((carrier) => carrier.name === name)!

export const magicRecipientsOf = (world: World): MagicRecipient[] => [
  ...world.store(carrierStore).magicRecipients().values(),
]

/** The recipient whose outcome is fixed, if this address is one. */
const magicOf = (world: World, address: string): MagicRecipient | undefined =>
  world.store(carrierStore).magicRecipients().get(address)

/** The same for an address as it was written: `+label` in an email address is ignored. */
export const magicRecipientOf = (world: World, address: string): MagicRecipient | undefined =>
  magicOf(world, address.includes('@') ? withoutLabel(address) : address)

/** True for a recipient of the world whose outcome is fixed. */
export const isMagic = (world: World, address: string): boolean => magicRecipientOf(world, address) !== undefined

/**
 * Any number is a phone; its carrier follows from the number and the seed unless the handset says otherwise. A magic
 * recipient that has an outcome is on and capable of it, whatever the handset says (choices, "Outcome precedence").
 */
export function deviceOf(world: World, phone: string): Device {
  const magic = magicOf(world, phone)
  const handset = handsetOf(world, phone)
  const carrier = handset?.carrier && carriersOf(world).find(({ name }) => name === handset.carrier)
  const isFixed = magic?.outcome !== undefined
  return {
    carrier: carrier || carrierByDraw(carriersOf(world), world.random('carrier', phone)),
    rcsCapable: magic?.rcs_capable ?? (isFixed || (handset?.rcs_capable ?? true)),
    isOn: isFixed || (handset?.on ?? true),
  }
}

export const mailServerOf = (world: World): MailProfile => world.store(carrierStore).mail()

/** How long a message to this phone waits in the queue, in ms. */
export const phoneDispatchDelay = (world: World, device: Device, messageId: string): number =>
  withinRange(device.carrier.dispatch_delay, world.random('dispatch delay', messageId))

export const emailDispatchDelay = (world: World, messageId: string): number =>
  withinRange(world.store(carrierStore).mail().dispatch_delay, world.random('dispatch delay', messageId))

/** What a magic recipient does, as the layer that it is. On email it does nothing that it is not known for. */
export function magicLayer(world: World, address: string): Layer | undefined {
  const magic = magicRecipientOf(world, address)
  return magic && { from: 'magic recipient', sets: address.includes('@') ? { ...QUIET_READER, ...magic } : magic }
}

const QUIET_READER = {
  outcome: 'delivered',
  opened: false,
  clicked: false,
  complained: false,
  unsubscribed: false,
} as const

/** A message of a campaign was refused for an outage: how often in a row that happened on this carrier. */
export const refused = (world: World, campaignId: string, carrier: CarrierProfile): number =>
  world.store(carrierStore).refuse(campaignId, carrier.name)

/** A message of a campaign was taken, which ends the row of refusals. */
export const taken = (world: World, campaignId: string, carrier: CarrierProfile) =>
  world.store(carrierStore).take(campaignId, carrier.name)

export const forgetRefusals = (world: World, campaignId: string) => world.store(carrierStore).forgetRefusals(campaignId)
