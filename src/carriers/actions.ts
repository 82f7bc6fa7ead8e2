import type { World } from '../world/world.ts'
import type { FailureReason } from '../words/vocabulary.ts'
import type { CarrierProfile, MagicRecipient } from './contract.ts'
import { carrierByDraw, type Plan, planEmail, planRcs, withoutLabel } from './rules.ts'
import { withinRange } from '../words/range.ts'
import { carrierStore } from './store.ts'

/** A phone as the simulated network knows it. */
export interface Device {
  carrier: CarrierProfile
  rcsCapable: boolean
  magic: MagicRecipient | undefined
}

export const carriersOf = (world: World): CarrierProfile[] => world.store(carrierStore).carriers()

export const carrierNames = (world: World): string[] => carriersOf(world).map(({ name }) => name)

export const magicRecipientsOf = (world: World): MagicRecipient[] => world.store(carrierStore).magicList()

/** The recipient whose outcome is fixed, if this address is one. Asked for with every send, so all are kept at hand. */
function magicOf(world: World, address: string): MagicRecipient | undefined {
  const known = world.recall(
    'magic recipients',
    () => new Map(magicRecipientsOf(world).map((recipient) => [recipient.address, recipient])),
  )
  return known.get(address)
}

/** Any number is a phone; its carrier follows from the number and the seed. */
export function deviceOf(world: World, phone: string): Device {
  const magic = magicOf(world, phone)
  return {
    carrier: carrierByDraw(carriersOf(world), world.share('carrier', phone)),
    rcsCapable: magic?.rcs_capable ?? true,
    magic,
  }
}

/** How long a message to this phone waits in the queue, in ms. */
export const rcsDispatchDelay = (world: World, device: Device, messageId: string): number =>
  withinRange(device.carrier.dispatch_delay, world.share('dispatch delay', messageId))

export const emailDispatchDelay = (world: World, messageId: string): number =>
  withinRange(world.store(carrierStore).mail().dispatch_delay, world.share('dispatch delay', messageId))

export function planRcsDelivery(world: World, messageId: string, device: Device, refusal: FailureReason | undefined): Plan {
  return planRcs({ ...device, refusal }, (decision) => world.share(decision, messageId))
}

export function planEmailDelivery(world: World, messageId: string, address: string, hasLink: boolean): Plan {
  const store = world.store(carrierStore)
  const facts = { mail: store.mail(), magic: magicOf(world, withoutLabel(address)), hasLink }
  return planEmail(facts, (decision) => world.share(decision, messageId))
}
