import type { CarrierProfile, MailProfile } from '../../network/carriers/contract.ts'
import type { World } from '../../world/world.ts'
import { decisionRecordStore, type Holdup } from './decision-record.store.ts'

export type { Holdup }

/**
 * An explanation needs what cannot be found out later. Draws follow from the seed, but shares and delays may be changed
 * at any time, so each version of the network is kept once, and a plan carries the number of its version.
 */

export interface KeptNetwork {
  carrier?: CarrierProfile
  /** The weights of all carriers, in the order in which a draw goes through them. */
  weights?: Readonly<Record<string, number>>
  mail?: MailProfile
}

export const phoneNetwork = (world: World, carrier: CarrierProfile, all: readonly CarrierProfile[]): number =>
  world.store(decisionRecordStore).versionOf(carrier.name, carrier, () => ({
    carrier,
    weights: Object.fromEntries(all.map(({ name, weight }) => [name, weight])),
  }))

export const mailNetwork = (world: World, mail: MailProfile): number =>
  world.store(decisionRecordStore).versionOf('of email', mail, () => ({ mail }))

export const networkById = (world: World, id: number): KeptNetwork => world.store(decisionRecordStore).get(id)

/**
 * Records that a message had to wait for an outage to end, for a place in the throughput, or for a phone that is off.
 */
export const recordHoldup = (world: World, messageId: string, reason: string) =>
  world.store(decisionRecordStore).holdUp({ message_id: messageId, reason, at: world.now() })

/** Maps each trigger that was caused by hand to the instant of the first time. */
export const userActionsOf = (world: World, messageId: string): ReadonlyMap<string, number> =>
  world.store(decisionRecordStore).userActions(messageId)

export const holdupsOf = (world: World, messageId: string): Holdup[] =>
  world.store(decisionRecordStore).holdups(messageId)
