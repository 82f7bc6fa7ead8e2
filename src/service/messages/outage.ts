import { refused, taken } from '../../network/carriers/actions.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import { SECOND } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import type { MessageRow } from './store.ts'

/** How long a message waits before a carrier under outage is tried again (docs/decisions/carrier-outage.md). */
export const OUTAGE_RETRY_MS = 30 * SECOND

/** Says whether the recipient's carrier is under outage. A campaign counts each refusal as a provider error. */
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

/** A campaign hears when a message of it has left the queue, whatever the carrier has made of it. */
export function tellCampaign(world: World, { id, campaign_id }: MessageRow) {
  if (campaign_id !== null) world.timers.schedule('campaign.message_left', campaign_id, world.now(), id)
}
