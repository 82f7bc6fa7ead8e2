import { carrierNamed } from '../../network/carriers/actions.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import { acquireSlot, dispatchWhenFree, scheduleNextDispatch } from '../../network/carriers/throughput.ts'
import type { Device } from '../../network/handsets/actions.ts'
import { isWaitedFor } from '../../network/queue/actions.ts'
import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { channels } from './channels/index.ts'
import { recordHoldup } from './decision-record.ts'
import { arrive, later, move, type Next, next } from './lifecycle.ts'
import { planOf } from './plan.ts'
import type { MessageRow } from './store.ts'
import { callNext, isRefusedForOutage, OUTAGE_RETRY_MS, wait } from './waiting.ts'

/** Dispatches a queued message if its carrier takes it. `hasPlace` names a carrier on which it has a place already. */
export function dispatchQueued(world: World, row: MessageRow, hasPlace?: string) {
  const device = channels[row.channel].deviceOf(world, row.recipient)
  if (row.status !== 'queued' || (device && isHeldBack(world, row, device.carrier, hasPlace))) return
  move(world, row, 'dispatch', {}, (_, moved) => dispatched(world, moved, device))
}

/**
 * Returns whether the carrier does not take the message now. Under an outage it is tried again until its ttl ends; beyond the
 * throughput it waits for a place, in the order of all that wait.
 */
function isHeldBack(world: World, row: MessageRow, carrier: CarrierProfile, hasPlace: string | undefined): boolean {
  if (isRefusedForOutage(world, row, carrier)) {
    recordHoldup(world, row.id, `${carrier.name} has an outage`)
    const at = world.now() + OUTAGE_RETRY_MS
    if (at > row.expires_at!) next(world, row, 'expire', row.expires_at!)
    else next(world, row, 'dispatch', at)
    return true
  }
  if (carrier.name === hasPlace || acquireSlot(world, carrier)) return false
  recordHoldup(world, row.id, `waits for a place in the throughput of ${carrier.name}`)
  wait(world, row, { carrier: carrier.name })
  dispatchWhenFree(world, carrier)
  return true
}

/** Dispatches the message that has waited longest for a place on a carrier. */
export const dispatchNextWaiting: LocalWork = (world, { subject }) => {
  const row = callNext(world, { carrier: subject })
  const more = isWaitedFor(world, { carrier: subject })
  scheduleNextDispatch(world, carrierNamed(world, subject), { took: row !== undefined, more })
  if (!row) return
  if (row.timer_id !== null) world.timers.cancel(row.timer_id)
  dispatchQueued(world, { ...row, timer_id: null }, subject)
}

/** Decides the plan of a delivery from the seed (docs/network.md). */
function dispatched(world: World, row: MessageRow, device: Device | undefined): Next {
  const plan = planOf(world, row, device)
  const at = plan.outcome === 'never_delivered' ? Number.POSITIVE_INFINITY : world.now() + plan.afterMs
  const timer_id =
    at > row.expires_at!
      ? later(world, row, 'expire', row.expires_at!)
      : later(world, row, TRIGGER_OF[plan.outcome as keyof typeof TRIGGER_OF], at)
  return { timer_id, plan: JSON.stringify(plan) }
}

const TRIGGER_OF = { delivered: 'deliver', failed: 'fail', bounced: 'bounce' } as const

/**
 * This many messages arrive at once when a phone is switched on. The rest follow as due work, so that no request waits.
 */
const AT_ONCE = 200

/** A phone was switched on: the messages that waited for it arrive, in the order in which they were sent. */
export function deliverWaiting(world: World, phone: string) {
  let arrived = 0
  for (let row = callNext(world, { phone }); row; row = callNext(world, { phone })) {
    if (arrived++ < AT_ONCE) {
      arrive(world, row)
      continue
    }
    if (row.timer_id !== null) world.timers.cancel(row.timer_id)
    next(world, row, 'deliver', world.now())
  }
}
