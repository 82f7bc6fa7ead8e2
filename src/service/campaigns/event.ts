import type { World } from '../../world/world.ts'
import { executionStore } from './execution.store.ts'
import { hasOpenRun } from './rules.ts'
import { planStep, runOf, start } from './run.ts'
import { type CampaignRow, campaignStore, type RunRow } from './store.ts'

/** An EVENT campaign has one open run; each event brings a contact to it, once. Returns that run. */
export function bringContact(world: World, campaign: CampaignRow, contactId: string): RunRow {
  const open = hasOpenRun(campaign.status) ? runOf(world, campaign) : undefined
  const run = open ?? start(world, campaign, 1)!
  if (open) addContact(world, campaign, open, contactId)
  else openWith(world, campaign, run, contactId)
  return run
}

/** There is no audience to write down but this contact. */
function openWith(world: World, campaign: CampaignRow, run: RunRow, contactId: string) {
  const store = world.store(campaignStore)
  world.store(executionStore).enrol(run.seq, contactId)
  store.addEnrolled(run.seq, 1)
  store.endEnrolment(run.seq)
  planStep(world, campaign, run)
}

function addContact(world: World, campaign: CampaignRow, run: RunRow, contactId: string) {
  if (!world.store(executionStore).enrol(run.seq, contactId)) return
  world.store(campaignStore).addOne(run.seq)
  if (campaign.status === 'RUNNING' && run.timer_id === null) planStep(world, campaign, run)
}
