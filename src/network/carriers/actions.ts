import { brokenField } from '../../words/broken-fields.ts'
import { suggest } from '../../words/suggest.ts'
import type { World } from '../../world/world.ts'
import type { Layer } from './behaviour.ts'
import type { CarrierProfile, MagicRecipient, MailProfile } from './contract.ts'
import { withoutLabel } from './rules.ts'
import { carrierStore } from './store.ts'
import { rescheduleDispatch } from './throughput.ts'

export const carriersOf = (world: World): CarrierProfile[] => world.store(carrierStore).carriers()

export const carrierNames = (world: World): string[] => carriersOf(world).map(({ name }) => name)

/** Finds a carrier of this world by its name. */
export const carrierNamed = (world: World, name: string): CarrierProfile =>
  carriersOf(world).find((carrier) => carrier.name === name)!

/** Lists the carriers as the world file has them, in the order of `carriersOf`. */
export const originalCarriers = (world: World): CarrierProfile[] => world.store(carrierStore).originals()

/** Changes a carrier; undefined resets it. */
export function changeCarrier(world: World, name: string, changed: CarrierProfile | undefined) {
  world.store(carrierStore).changeCarrier(name, changed)
  rescheduleDispatch(world, carrierNamed(world, name))
}

/** Complains of a carrier that the world does not have. */
export function checkCarrier(world: World, field: string, carrier: string) {
  const names = carrierNames(world)
  if (names.includes(carrier)) return
  const message = `must be a carrier of this world: ${names.join(', ')}${suggest(carrier, names)}`
  throw brokenField(field, 'invalid_value', message)
}

export const magicRecipientsOf = (world: World): MagicRecipient[] => [
  ...world.store(carrierStore).magicRecipients().values(),
]

/** Finds the magic recipient with exactly this address. */
const magicOf = (world: World, address: string): MagicRecipient | undefined =>
  world.store(carrierStore).magicRecipients().get(address)

/** Finds the magic recipient that an address means: `+label` in an email address is ignored. */
export const magicRecipientOf = (world: World, address: string): MagicRecipient | undefined =>
  magicOf(world, address.includes('@') ? withoutLabel(address) : address)

/** True for a recipient of the world whose outcome is fixed. */
export const isMagic = (world: World, address: string): boolean => magicRecipientOf(world, address) !== undefined

export const mailServerOf = (world: World): MailProfile => world.store(carrierStore).mail()

/** Creates the layer of a magic recipient. On email it has only its documented behaviour. */
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

/** Counts a message of a campaign that was refused for an outage. Returns how many were refused in a row. */
export const refused = (world: World, campaignId: string, carrier: CarrierProfile): number =>
  world.store(carrierStore).refuse(campaignId, carrier.name)

/** Records that a message of a campaign was taken, which ends the row of refusals. */
export const taken = (world: World, campaignId: string, carrier: CarrierProfile) =>
  world.store(carrierStore).take(campaignId, carrier.name)

export const forgetRefusals = (world: World, campaignId: string) => world.store(carrierStore).forgetRefusals(campaignId)
