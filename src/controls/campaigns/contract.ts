import { z } from 'zod'
import { campaignParams, Started } from '../../service/campaigns/contract.ts'
import { CampaignDefinition, definitionExample, definitionFields } from '../../service/campaigns/definition.contract.ts'
import { CampaignId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { CampaignStatus } from '../../words/vocabulary.ts'

const Shown = z
  .strictObject({
    ...definitionFields,
    campaign_id: CampaignId,
    status: CampaignStatus.describe('Status of the campaign.'),
  })
  .meta({
    example: {
      ...definitionExample,
      campaign_id: '00000000-0000-4000-8000-000000000101',
      throughput: 500,
      status: 'DRAFT',
    },
  })

export const defineCampaign = operation({
  id: 'campaigns.define',
  summary: 'Create or replace the definition of a campaign',
  details: 'A campaign with an open run cannot be replaced.',
  call: 'POST /_sandbox/campaigns',
  access: 'namespace',
  body: CampaignDefinition,
  examples: [{ ...definitionExample, campaign_id: '00000000-0000-4000-8000-000000000101' }],
  output: Shown,
  status: [201, 200],
  problems: ['campaign_already_running'],
})

export const showCampaign = operation({
  id: 'campaigns.show',
  summary: 'Show the definition of a campaign',
  call: 'GET /_sandbox/campaigns/{id}',
  access: 'namespace',
  params: campaignParams,
  output: Shown,
  problems: ['not_found'],
})

export const runCampaign = operation({
  id: 'campaigns.run',
  summary: 'Start a campaign with a MANUAL trigger',
  call: 'POST /_sandbox/campaigns/{id}/run',
  access: 'namespace',
  params: campaignParams,
  output: Started,
  status: 202,
  problems: ['not_found', 'campaign_not_manually_triggered', 'campaign_already_running', 'insufficient_balance'],
})

export const raiseCampaignEvent = operation({
  id: 'campaigns.event',
  summary: 'Trigger the event of an EVENT campaign for a contact',
  call: 'POST /_sandbox/campaigns/{id}/event',
  access: 'namespace',
  params: campaignParams,
  body: z
    .strictObject({
      contact_id: z.string().min(1).max(255).describe('Contact of the event: its id or external_id.'),
    })
    .meta({ example: { contact_id: 'magic-00' } }),
  output: Started.extend({ status: CampaignStatus.describe('RUNNING, or the status that makes the contact wait.') }),
  status: 202,
  problems: ['not_found', 'campaign_not_event_triggered'],
})
