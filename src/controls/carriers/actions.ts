import type { z } from 'zod'
import { carrierNames, carriersOf, changeCarrier, originalCarriers } from '../../network/carriers/actions.ts'
import type * as contract from '../../network/carriers/contract.ts'
import type { Carrier, CarrierChange, CarrierProfile } from '../../network/carriers/contract.ts'
import { changedCarrier, changedFieldsOf } from '../../network/carriers/rules.ts'
import { deliveredOf, doAddUp, notAddingUp } from '../../network/carriers/shares.ts'
import { waitingFor } from '../../service/messages/waiting.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { problem } from '../../words/problem.ts'
import { formatRange } from '../../words/range.ts'
import { suggest } from '../../words/suggest.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'

function toAnswer(world: World, now: CarrierProfile, original: CarrierProfile): z.input<typeof Carrier> {
  return {
    name: now.name,
    weight: now.weight,
    dispatch_delay: formatRange(now.dispatch_delay),
    delivery_delay: formatRange(now.delivery_delay),
    failure_delay: formatRange(now.failure_delay),
    read_delay: formatRange(now.read_delay),
    delivered: deliveredOf(now),
    read: now.read,
    failed: now.failed,
    never_delivered: now.never_delivered,
    outage: now.outage,
    throughput: now.throughput ?? null,
    changed: changedFieldsOf(original, now),
    waiting: waitingFor(world, { carrier: now.name }),
  }
}

export function carrierAnswers(world: World) {
  const originals = originalCarriers(world)
  return carriersOf(world).map((carrier, i) => toAnswer(world, carrier, originals[i]!))
}

const answerByName = (world: World, name: string) => carrierAnswers(world).find((carrier) => carrier.name === name)!

function requireCarrier(world: World, name: string): CarrierProfile {
  const carrier = carriersOf(world).find((one) => one.name === name)
  if (carrier) return carrier
  const names = carrierNames(world)
  const guess = suggest(name, names)
  throw problem('not_found', `There is no carrier ${name} in this world; carriers: ${names.join(', ')}${guess || '.'}`)
}

export const list: Action<typeof contract.listCarriers> = (world) => ({ carriers: carrierAnswers(world) })

export const show: Action<typeof contract.showCarrier> = (world, { params }) =>
  answerByName(world, requireCarrier(world, params.name).name)

export const update: Action<typeof contract.updateCarrier> = (world, { params, body }) => {
  change(world, requireCarrier(world, params.name), body)
  return answerByName(world, params.name)
}

export const updateAll: Action<typeof contract.updateCarriers> = (world, { body }) => {
  for (const carrier of carriersOf(world)) change(world, carrier, body)
  return { carriers: carrierAnswers(world) }
}

export const reset: Action<typeof contract.resetCarrier> = (world, { params }) => {
  putBack(world, requireCarrier(world, params.name))
  return answerByName(world, params.name)
}

export const resetAll: Action<typeof contract.resetCarriers> = (world) => {
  for (const carrier of carriersOf(world)) putBack(world, carrier)
  return { carriers: carrierAnswers(world) }
}

/** Messages in progress keep the plan that was made when they were dispatched. */
function change(world: World, before: CarrierProfile, settings: CarrierChange) {
  const after = changedCarrier(before, settings)
  const shares = { ...after, delivered: settings.delivered }
  if (!doAddUp(shares)) throw unfitting(before.name, notAddingUp(shares), settings)
  changeCarrier(world, after.name, after)
}

function unfitting(name: string, message: string, settings: CarrierChange) {
  const field = (['delivered', 'failed', 'never_delivered'] as const).find((share) => settings[share] !== undefined)!
  return brokenField(field, 'invalid_value', `of ${name}, ${message}`)
}

const putBack = (world: World, { name }: CarrierProfile) => changeCarrier(world, name, undefined)
