import { forgetRefusals } from '../../network/carriers/actions.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import { executionStore } from './execution.store.ts'
import { campaignStore } from './store.ts'

/** The due work of a run; the start of a campaign that waits for its date is none of it. */
const OF_A_RUN = [
  'campaign.enrol',
  'campaign.step',
  'campaign.wait',
  'campaign.message_left',
  'campaign.provider_error',
]

/** Runs go with the messages that they sent. A campaign that had one is a draft again and can be triggered anew. */
export function resetRuns(world: World) {
  const store = world.store(campaignStore)
  world.timers.cancelAll(OF_A_RUN)
  world.store(executionStore).clear()
  for (const { campaign_id } of store.list()) forgetRefusals(world, campaign_id)
  store.clearRuns()
  forgetAnswers(world, ['campaigns.trigger'])
}
