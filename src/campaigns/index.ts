import { z } from 'zod'
import { type Noun, section } from '../world/noun.ts'
import { CampaignDefinition } from './contract.ts'
import { campaignStore, tables } from './store.ts'

/** Campaigns are made in the dashboard only (interface §1), so here they come from the world file. */
export const campaigns: Noun = {
  tables,
  sections: [
    section('campaigns', z.array(CampaignDefinition), (world, list) => {
      for (const definition of list)
        world.store(campaignStore).insert({
          campaign_id: definition.campaign_id,
          name: definition.name,
          trigger: definition.trigger,
          status: definition.trigger === 'SCHEDULED' ? 'SCHEDULED' : 'DRAFT',
          definition: JSON.stringify(definition),
        })
    }),
  ],
}
