import type { HandsetSettings } from '../../controls/handsets/contract.ts'
import type { World } from '../../world/world.ts'
import type { Layer } from '../carriers/behaviour.ts'
import { layerOf } from './rules.ts'
import { handsetStore } from './store.ts'

/** Every phone that is other than ordinary. */
export const handsetsOf = (world: World): ReadonlyMap<string, HandsetSettings> => world.store(handsetStore).all()

/** How a phone was set; undefined for an ordinary one. */
export const handsetOf = (world: World, phone: string): HandsetSettings | undefined => handsetsOf(world).get(phone)

/** What its owner makes of messages, as the layer that it is. */
export function handsetLayer(world: World, phone: string): Layer | undefined {
  const settings = handsetOf(world, phone)
  return settings && layerOf(settings)
}

/** Keeps a phone of a world file. One that stands there twice is a fault of the file. */
export function loadHandset(world: World, phone: string, settings: HandsetSettings) {
  world.store(handsetStore).insert(phone, settings)
}

/** Keeps how a phone is set; one without any settings is an ordinary phone again. */
export function keepHandset(world: World, phone: string, settings: HandsetSettings) {
  if (Object.keys(settings).length === 0) world.store(handsetStore).remove(phone)
  else world.store(handsetStore).set(phone, settings)
}
