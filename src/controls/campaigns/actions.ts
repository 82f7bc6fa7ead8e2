import type { z } from 'zod'
import { alreadyRunning, requireCampaign, startRun } from '../../service/campaigns/actions.ts'
import { audienceCount } from '../../service/campaigns/audience.ts'
import { checkDate, checkReferences } from '../../service/campaigns/check.ts'
import type { CampaignDefinition } from '../../service/campaigns/definition.contract.ts'
import { estimate, shortfall } from '../../service/campaigns/estimate.ts'
import { executionStore } from '../../service/campaigns/execution.store.ts'
import { hasOpenRun } from '../../service/campaigns/rules.ts'
import { definitionOf, move, planStep, redefine, runOf, start, startForAudience } from '../../service/campaigns/run.ts'
import { type CampaignRow, campaignStore, type RunRow } from '../../service/campaigns/store.ts'
import { contactByRef } from '../../service/contacts/actions.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Action, LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type { defineCampaign, raiseCampaignEvent, runCampaign, showCampaign } from './contract.ts'

/** What the dashboard does with campaigns: definitions, and the triggers that are not the API's. */

const toAnswer = (world: World, campaign: CampaignRow) => ({
  ...definitionOf(world, campaign),
  status: campaign.status,
})

export const define: Action<typeof defineCampaign> = (world, { body }) => {
  checkDate(world, body)
  const { isNew, campaign } = keep(world, body)
  return new Reply(toAnswer(world, campaign), { status: isNew ? 201 : 200 })
}

/** Defines a campaign of a world file, which has each once. */
export function add(world: World, given: z.output<typeof CampaignDefinition>) {
  if (given.campaign_id !== undefined && world.store(campaignStore).get(given.campaign_id))
    throw brokenField('campaign_id', 'duplicate', 'another one has it too')
  keep(world, given)
}

/** Defines a campaign, or replaces its definition. */
function keep(world: World, given: z.output<typeof CampaignDefinition>) {
  checkReferences(world, given)
  const definition = { ...given, campaign_id: given.campaign_id ?? world.ids.next('') }
  const known = world.store(campaignStore).get(definition.campaign_id)
  const campaign = redefine(world, known, definition)
  if (!campaign) throw alreadyRunning(world, known!)
  return { isNew: known === undefined, campaign }
}

export const show: Action<typeof showCampaign> = (world, { params }) =>
  toAnswer(world, requireCampaign(world, params.id))

export const run: Action<typeof runCampaign> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  if (campaign.trigger !== 'MANUAL') throw otherTrigger('campaign_not_manually_triggered', campaign)
  return startRun(world, campaign)
}

/** An EVENT campaign has one open run; each event brings a contact to it, once. */
export const event: Action<typeof raiseCampaignEvent> = (world, { params, body }) => {
  const campaign = requireCampaign(world, params.id)
  if (campaign.trigger !== 'EVENT') throw otherTrigger('campaign_not_event_triggered', campaign)
  const contact = contactByRef(world, body.contact_id)
  if (!contact)
    throw problem('not_found', `There is no contact ${body.contact_id} in this world.`, {
      details: [{ field: 'contact_id', code: 'not_found', message: 'is not known' }],
    })
  const open = hasOpenRun(campaign.status) ? runOf(world, campaign) : undefined
  const run = open ?? start(world, campaign, 1)!
  if (open) addContact(world, campaign, open, contact.id)
  else openWith(world, campaign, run, contact.id)
  return { run_id: run.run_id, status: requireCampaign(world, params.id).status }
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

const otherTrigger = (
  code: 'campaign_not_manually_triggered' | 'campaign_not_event_triggered',
  { campaign_id, trigger }: CampaignRow,
) => problem(code, `The campaign has the trigger ${trigger}.`, { campaign_id, campaign_trigger: trigger })

/** Due work: a SCHEDULED campaign starts at its date. Nobody is there to be refused, so without money it starts paused. */
export const startOnDate: LocalWork = (world, { subject }) => {
  const campaign = requireCampaign(world, subject)
  const definition = definitionOf(world, campaign)
  const total = audienceCount(world, definition)
  const short = shortfall(world, estimate(world, definition, [{ node: null, contacts: total }]), total)
  if (!startForAudience(world, campaign, total)) return
  if (short) move(world, requireCampaign(world, subject), 'exhaust')
}
