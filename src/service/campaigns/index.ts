import { z } from 'zod'
import { loadEach } from '../../world/file/entries.ts'
import { type Noun, section } from '../../world/noun.ts'
import { campaignsOf } from './actions.ts'
import { CampaignDefinition } from './definition.contract.ts'
import { loadCampaign } from './definitions.ts'
import { executionTables } from './execution.store.ts'
import { resetRuns } from './reset.ts'
import { routes } from './routes.ts'
import { definitionOf } from './run.ts'
import { enrol, messageLeft, providerError, startOnDate, step, waited } from './steps.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables: tables + executionTables,
  routes,
  resets: { messages: resetRuns },
  localWork: {
    'campaign.start': startOnDate,
    'campaign.enrol': enrol,
    'campaign.step': step,
    'campaign.wait': waited,
    'campaign.message_left': messageLeft,
    'campaign.provider_error': providerError,
  },
  // A date stands in the calendar; a clock that jumped there would begin every world on the day of its first campaign.
  passive: ['campaign.start'],
  sections: [
    section(
      'campaigns',
      z
        .array(CampaignDefinition)
        .describe('Campaigns, as the dashboard defines them. One whose scheduled_at has passed starts at once.'),
      (world, list) => {
        loadEach('campaigns', list, (definition) => loadCampaign(world, definition))
      },
      (world) => campaignsOf(world).map((campaign) => definitionOf(world, campaign)),
    ),
  ],
}
