import type { z } from 'zod'
import { brokenField } from '../../words/broken-fields.ts'
import type { World } from '../../world/world.ts'
import { alreadyRunning } from './actions.ts'
import { checkReferences } from './check.ts'
import type { CampaignDefinition } from './definition.contract.ts'
import { redefine } from './run.ts'
import { campaignStore } from './store.ts'

type Given = z.output<typeof CampaignDefinition>

/** Defines a campaign of a world file, which has each once. */
export function loadCampaign(world: World, given: Given) {
  if (given.campaign_id !== undefined && world.store(campaignStore).get(given.campaign_id))
    throw brokenField('campaign_id', 'duplicate', 'another one has it too')
  define(world, given)
}

/** Defines a campaign, or replaces its definition. */
export function define(world: World, given: Given) {
  checkReferences(world, given)
  const definition = { ...given, campaign_id: given.campaign_id ?? world.ids.next('') }
  const known = world.store(campaignStore).get(definition.campaign_id)
  const campaign = redefine(world, known, definition)
  if (!campaign) throw alreadyRunning(world, known!)
  return { isNew: known === undefined, campaign }
}
