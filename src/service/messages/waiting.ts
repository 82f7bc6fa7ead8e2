import { refused, taken } from '../../network/carriers/actions.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import { enqueue, idsWaiting, takeFirst, type WaitedFor } from '../../network/queue/actions.ts'
import { SECOND } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import { type MessageRow, messageStore } from './store.ts'

/** A message that waits for a carrier is still queued; one that waits for a phone has left. */
const statusOf = (what: WaitedFor) => ('carrier' in what ? 'queued' : 'dispatched')

/** Adds a message to a queue. It expires at the end of its ttl unless it is called before. */
export function wait(world: World, row: MessageRow, what: WaitedFor) {
  enqueue(world, row.id, what)
  world.store(messageStore).setTimer(row.seq, world.timers.schedule('message.expire', row.id, row.expires_at!))
}

/** Dispatches the message that has waited longest. Messages that have become final meanwhile are skipped. */
export function callNext(world: World, what: WaitedFor): MessageRow | undefined {
  for (let id = takeFirst(world, what); id !== undefined; id = takeFirst(world, what)) {
    const row = world.store(messageStore).get(id)
    if (row?.status === statusOf(what)) return row
  }
  return undefined
}

export const waitingFor = (world: World, what: WaitedFor): number =>
  world.store(messageStore).countIn(idsWaiting(world, what), statusOf(what))

/** The pause before a message tries a carrier under outage again (docs/decisions/carrier-outage.md). */
export const OUTAGE_RETRY_MS = 30 * SECOND

/** Returns whether the recipient's carrier is under outage. A campaign counts each refusal as a provider error. */
export function isRefusedForOutage(world: World, { campaign_id }: MessageRow, carrier: CarrierProfile): boolean {
  if (!carrier.outage) {
    if (campaign_id !== null) taken(world, campaign_id, carrier)
    return false
  }
  if (campaign_id !== null)
    world.timers.schedule(
      'campaign.provider_error',
      campaign_id,
      world.now(),
      String(refused(world, campaign_id, carrier)),
    )
  return true
}

/** Notifies the campaign that a message has left the queue, whatever its outcome. */
export function tellCampaign(world: World, { id, campaign_id }: MessageRow) {
  if (campaign_id !== null) world.timers.schedule('campaign.message_left', campaign_id, world.now(), id)
}
