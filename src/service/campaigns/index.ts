import { z } from 'zod'
import { hooked } from '../../world/hook.ts'
import { listSection, type Noun, routesOf } from '../../world/noun.ts'
import { contactsToChange } from '../contacts/actions.ts'
import * as actions from './actions.ts'
import { campaignsOf } from './actions.ts'
import { withoutDeleted } from './audience.ts'
import { loadCampaign } from './check.ts'
import * as contract from './contract.ts'
import { CampaignDefinition } from './definition.contract.ts'
import { executionTables } from './execution.store.ts'
import { definitionOf, resetRuns } from './run.ts'
import { enrol, enrolWhole, messageLeft, providerError, startOnDate, step, waitEnded } from './steps.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables: tables + executionTables,
  routes: routesOf(contract, actions),
  resets: { messages: resetRuns },
  localWork: {
    'campaign.start': startOnDate,
    'campaign.enrol': enrol,
    'campaign.step': step,
    'campaign.wait': waitEnded,
    'campaign.message_left': messageLeft,
    'campaign.provider_error': providerError,
  },
  hooks: [hooked(contactsToChange, enrolWhole)],
  // An auto clock does not jump to a date, or every world would begin on the day of its first campaign.
  passive: ['campaign.start'],
  sections: [
    listSection(
      'campaigns',
      z
        .array(CampaignDefinition)
        .describe(
          'Campaigns, as defined in the dashboard. A campaign whose scheduled_at has passed starts immediately.',
        ),
      loadCampaign,
      (world) => campaignsOf(world).map((campaign) => withoutDeleted(world, definitionOf(world, campaign))),
    ),
  ],
}
