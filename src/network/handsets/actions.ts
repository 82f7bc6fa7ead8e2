import { refuseBroken } from '../../words/field-conditions.ts'
import { settings } from '../../world/settings.ts'
import type { World } from '../../world/world.ts'
import { carriersOf, checkCarrier, magicRecipientOf } from '../carriers/actions.ts'
import type { Layer } from '../carriers/behaviour.ts'
import type { CarrierProfile } from '../carriers/contract.ts'
import { carrierByDraw } from '../carriers/rules.ts'
import { type HandsetSettings, handsetRules } from './contract.ts'
import { layerOf } from './rules.ts'

/** Phones with custom settings, by number. */
export const handsets = settings<HandsetSettings>('handsets', 'phone')

/** Finds the settings of a phone; undefined for an ordinary one. */
export const handsetOf = (world: World, phone: string): HandsetSettings | undefined => handsets.of(world).get(phone)

/** A phone as the simulated network knows it. */
export interface Device {
  carrier: CarrierProfile
  rcsCapable: boolean
  /** Switched off, it receives what is sent to it when it is on again. */
  isOn: boolean
}

/**
 * Any number is a phone; its carrier follows from the number and the seed unless the handset says otherwise. A magic
 * recipient that has an outcome is on and capable of it, whatever the handset says (docs/network.md).
 */
export function deviceOf(world: World, phone: string): Device {
  const magic = magicRecipientOf(world, phone)
  const handset = handsetOf(world, phone)
  const carrier = handset?.carrier && carriersOf(world).find(({ name }) => name === handset.carrier)
  const isFixed = magic?.outcome !== undefined
  return {
    carrier: carrier || carrierByDraw(carriersOf(world), world.random('carrier', phone)),
    rcsCapable: magic?.rcs_capable ?? (isFixed || (handset?.rcs_capable ?? true)),
    isOn: isFixed || (handset?.on ?? true),
  }
}

/** Creates the layer of the owner of a phone. */
export function handsetLayer(world: World, phone: string): Layer | undefined {
  const settings = handsetOf(world, phone)
  return settings && layerOf(settings)
}

/** Checks that the carrier exists, and that the settings agree with each other. */
export function checkSettings(world: World, settings: HandsetSettings) {
  if (settings.carrier !== undefined) checkCarrier(world, 'carrier', settings.carrier)
  refuseBroken(handsetRules, settings)
}
