import { z } from 'zod'
import { DAY, Duration, parseDuration } from '../../words/duration.ts'
import {
  atLeastOne,
  isEqual,
  isGiven,
  not,
  rule,
  when,
  withConditions,
  withRules,
} from '../../words/field-conditions.ts'
import { CampaignId, ContactId, Timestamp } from '../../words/ids.ts'
import { text } from '../../words/text.ts'
import { oneContent, rcsContent, senderRules } from '../messages/channels/send-conditions.ts'
import { sendFields } from '../messages/contract.ts'
import { faultsOf } from './flow.ts'

const CampaignTrigger = z.enum(['API', 'SCHEDULED', 'EVENT', 'MANUAL'])

const { agent_id, channel_id, message_type, traffic_type, content, template_id, template_data } = sendFields

/** The fields of a send without its recipient. */
const fieldsOfSend = {
  ...{ agent_id, channel_id, message_type, traffic_type, content, template_id },
  template_data: template_data.describe('Values of the template variables, the same for every contact.'),
}

/** The fields of a send; what its channel demands is checked when it is sent. */
const asSend = <S extends z.ZodType<object>>(schema: S): S =>
  withConditions(withRules(schema, ...senderRules, ...oneContent('template_data')), {
    if: isGiven('agent_id').schema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { content: rcsContent } },
  })

const Send = asSend(z.strictObject(fieldsOfSend))
export type Send = z.output<typeof Send>

const NodeId = z.string().min(1).max(100)
const step = { id: NodeId.describe('Id of the node within the flow.') }
const next = { next: NodeId.optional().describe('Id of the next node (default: the next in the list).') }

const MAX_WAIT_DAYS = 366
const UP_TO_A_YEAR =
  '^([0-9]{1,10}ms|[0-9]{1,7}s|[0-9]{1,5}m|[0-9]{1,3}h|([0-9]{1,2}|[12][0-9]{2}|3[0-5][0-9]|36[0-6])d)$'

const SendNode = asSend(
  z.strictObject({
    node: z.literal('SEND').describe('Sends a message.'),
    ...step,
    ...next,
    ...fieldsOfSend,
    fallback: z
      .union([z.literal('none'), Send])
      .default('none')
      .describe('Message to send instead if the device is not RCS-capable or the contact has no suitable address.'),
  }),
)
export type SendNode = z.output<typeof SendNode>

const Node = z
  .discriminatedUnion('node', [
    SendNode,
    z.strictObject({
      node: z.literal('WAIT').describe('Delays the contact.'),
      ...step,
      ...next,
      for: Duration.refine((value) => (parseDuration(value) ?? 0) <= MAX_WAIT_DAYS * DAY, {
        error: `must be at most ${MAX_WAIT_DAYS}d`,
        params: { code: 'too_big' },
      })
        .meta({ pattern: UP_TO_A_YEAR })
        .describe('Duration of the delay, such as 30s, 24h or 7d.'),
    }),
    z.strictObject({
      node: z.literal('CONDITION').describe('Branches by a condition.'),
      ...step,
      when: z
        .enum(['delivered', 'read', 'replied'])
        .describe(
          'Condition on the last message to the contact in this run, checked when the contact reaches the node.',
        ),
      yes: NodeId.describe('Id of the next node if the condition holds.'),
      no: NodeId.describe('Id of the next node if the condition does not hold.'),
    }),
    withRules(
      z.strictObject({
        node: z.literal('TAG').describe('Changes the tags of the contact.'),
        ...step,
        ...next,
        add: text(100, 1).optional().describe('Tag to add.'),
        remove: text(100, 1).optional().describe('Tag to remove.'),
      }),
      rule(atLeastOne('add', 'remove'), {
        field: 'add',
        code: 'required',
        message: 'pass a tag to add, to remove, or one of each',
      }),
    ),
    z.strictObject({ node: z.literal('END').describe('Ends the flow for the contact.'), ...step }),
  ])
  .meta({ id: 'CampaignNode', description: 'A node of the flow of a campaign.' })
export type Node = z.output<typeof Node>

const Audience = z.union([
  z.strictObject({ all: z.literal(true).describe('All contacts.') }),
  z.strictObject({ tag: text(100, 1).describe('Contacts with this tag.') }),
  z.strictObject({ contacts: z.array(ContactId).describe('The listed contacts.') }),
])
export type Audience = z.output<typeof Audience>

export const definitionFields = {
  campaign_id: CampaignId.optional().describe(
    'Id of the campaign (default: generated). An existing campaign is replaced.',
  ),
  name: text(200, 1).describe('Name in the dashboard.'),
  trigger: CampaignTrigger.describe('Trigger that starts a run.'),
  scheduled_at: Timestamp.optional().describe('Start of a SCHEDULED campaign, ISO 8601 UTC.'),
  audience: Audience.optional().describe('Contacts of a run. The event of an EVENT campaign names its own contact.'),
  throughput: z
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .describe('Number of contacts that start per second of world time.'),
  flow: z
    .array(Node)
    .min(1)
    .max(100)
    .describe('Nodes of the flow (SEND, WAIT, CONDITION, TAG, END). A contact starts at the first one.'),
}

const isScheduled = isEqual('trigger', 'SCHEDULED')
const isOfEvent = isEqual('trigger', 'EVENT')

const triggerRules = [
  rule(when(isScheduled, isGiven('scheduled_at')), {
    field: 'scheduled_at',
    code: 'required',
    message: 'is required on a SCHEDULED campaign',
  }),
  rule(when(isGiven('scheduled_at'), isScheduled), {
    field: 'scheduled_at',
    code: 'unknown_field',
    message: 'is only for campaigns with the trigger SCHEDULED',
  }),
  rule(when(not(isOfEvent), isGiven('audience')), { field: 'audience', code: 'required', message: 'is required' }),
  rule(when(isOfEvent, not(isGiven('audience'))), {
    field: 'audience',
    code: 'unknown_field',
    message: 'is not for an EVENT campaign: each event names its contact',
  }),
]

export const definitionExample: z.input<z.ZodObject<typeof definitionFields>> = {
  name: 'Spring offer',
  trigger: 'API',
  audience: { tag: 'campaign-demo' },
  flow: [
    {
      node: 'SEND',
      id: 'offer',
      agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
      message_type: 'MESSAGE',
      traffic_type: 'PROMOTION',
      content: { text: 'Ten percent off, this week only.' },
    },
    { node: 'WAIT', id: 'pause', for: '24h' },
    { node: 'CONDITION', id: 'check', when: 'read', yes: 'reader', no: 'end' },
    { node: 'TAG', id: 'reader', add: 'reader' },
    { node: 'END', id: 'end' },
  ],
}

/** A campaign definition, which only the dashboard can create (interface §1). */
export const CampaignDefinition = withRules(
  z.strictObject(definitionFields).superRefine(({ flow }, { addIssue }) => {
    for (const { index, field, code, message } of faultsOf(flow))
      addIssue({ code: 'custom', path: ['flow', index, field], message, params: { code } })
  }),
  ...triggerRules,
).meta({ example: definitionExample })
/** A stored definition, with its id and defaults. */
export type Definition = z.output<typeof CampaignDefinition> & { campaign_id: string }
