import type { CarrierProfile, MailProfile } from '../../network/carriers/contract.ts'
import type { World } from '../../world/world.ts'
import { decisionRecordStore, type Holdup } from './decision-record.store.ts'

/**
 * What has to be kept for a later explanation. Draws follow from the seed, but shares and delays may be changed at any
 * time: each version that a plan was made by is kept once, and the plan carries its number.
 */

export interface KeptNetwork {
  carrier?: CarrierProfile
  /** Of all carriers, in the order in which a draw goes through them. */
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

export const networkById = (world: World, id: number): KeptNetwork =>
  JSON.parse(world.store(decisionRecordStore).get(id))

/** A message had to wait, or was tried in vain: for an outage, a place in the throughput, a phone that is off. */
export const recordHoldup = (world: World, messageId: string, reason: string) =>
  world.store(decisionRecordStore).holdUp(messageId, reason, world.now())

/** A step was taken by hand, through the control plane, and not because it was planned. */
export const recordUserAction = (world: World, messageId: string, trigger: string) =>
  world.store(decisionRecordStore).recordUserAction(messageId, trigger, world.now())

/** When each trigger was first pulled by hand. */
export const userActionsOf = (world: World, messageId: string): ReadonlyMap<string, number> =>
  new Map(
    world
      .store(decisionRecordStore)
      .userActions(messageId)
      .map(({ trigger, at }) => [trigger, at]),
  )

export const holdupsOf = (world: World, messageId: string): Holdup[] =>
  world.store(decisionRecordStore).holdups(messageId)

/** The messages are gone, and what was kept of them goes too. */
export const forgetMessages = (world: World) => world.store(decisionRecordStore).forgetMessages()
