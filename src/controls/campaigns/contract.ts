import { z } from 'zod'
import { campaignParams, ExecutionStatus, Started } from '../../service/campaigns/contract.ts'
import { CampaignDefinition, definitionExample, definitionFields } from '../../service/campaigns/definition.contract.ts'
import { CampaignId, ContactId, MessageId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { offsetQuery } from '../../words/page.ts'
import { CampaignStatus } from '../../words/vocabulary.ts'

const Shown = z
  .strictObject({
    ...definitionFields,
    campaign_id: CampaignId,
    status: CampaignStatus.describe('Status of the campaign.'),
  })
  .meta({
    id: 'Campaign',
    description: 'The definition and status of a campaign.',
    example: {
      ...definitionExample,
      campaign_id: '00000000-0000-4000-8000-000000000101',
      throughput: 500,
      status: 'DRAFT',
    },
  })

const onCampaign = { access: 'namespace', params: campaignParams } as const

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
  ...onCampaign,
  id: 'campaigns.show',
  summary: 'Show the definition of a campaign',
  call: 'GET /_sandbox/campaigns/{id}',
  output: Shown,
})

const Reason = z
  .string()
  .describe(
    'Why the contact is ineligible or failed: the code of the refusal, no_address, contact_deleted, too_many_tags or message_lost.',
  )

export const listCampaignContacts = operation({
  ...onCampaign,
  id: 'campaigns.contacts',
  summary: 'List the contacts of the last run, with nodes and messages',
  call: 'GET /_sandbox/campaigns/{id}/contacts',
  query: z.strictObject(offsetQuery('contacts')),
  output: z.strictObject({
    contacts: z
      .array(
        z.strictObject({
          contact_id: ContactId,
          phone: z.string().nullable().describe('Current phone of the contact.'),
          email: z.string().nullable().describe('Current email of the contact.'),
          external_id: z.string().nullable().describe('Current external_id of the contact.'),
          status: ExecutionStatus.describe('Status of the contact in the run.'),
          reason: Reason.nullable(),
          next_node: z.string().nullable().describe('Id of the next node; null before the first and after the last.'),
          path: z.array(z.string()).describe('Ids of the nodes that the contact has reached, in order.'),
          sends: z
            .array(z.strictObject({ node: z.string().describe('Id of the SEND node.'), message_id: MessageId }))
            .describe('Messages to the contact in this run.'),
          tags: z.array(z.string()).describe('Current tags of the contact.'),
        }),
      )
      .describe('Contacts in the order in which they joined the run.'),
    total: z.int().describe('Number of contacts of the run.'),
    sent: z
      .array(
        z.strictObject({
          node: z.string().describe('Id of the SEND node.'),
          messages: z.int().describe('Number of messages that it has sent.'),
        }),
      )
      .describe('Number of messages of the run, by SEND node in the order of the flow.'),
    reasons: z
      .array(
        z.strictObject({
          status: ExecutionStatus.describe('Status of the contacts.'),
          reason: Reason,
          says: z.string().describe('Text for people.'),
          contacts: z.int().describe('Number of contacts.'),
        }),
      )
      .describe('Number of contacts that are ineligible or failed, by reason.'),
  }),
})

export const runCampaign = operation({
  ...onCampaign,
  id: 'campaigns.run',
  summary: 'Start a campaign with a MANUAL trigger',
  call: 'POST /_sandbox/campaigns/{id}/run',
  output: Started,
  status: 202,
  problems: ['campaign_not_manually_triggered', 'campaign_already_running', 'insufficient_balance'],
})

export const raiseCampaignEvent = operation({
  ...onCampaign,
  id: 'campaigns.event',
  summary: 'Trigger the event of an EVENT campaign for a contact',
  call: 'POST /_sandbox/campaigns/{id}/event',
  body: z
    .strictObject({
      contact_id: z.string().min(1).max(255).describe('Contact of the event: its id or external_id.'),
    })
    .meta({ example: { contact_id: 'magic-00' } }),
  output: Started.extend({ status: CampaignStatus.describe('RUNNING, or the status that makes the contact wait.') }),
  status: 202,
  problems: ['campaign_not_event_triggered'],
})
