import { z } from 'zod'
import { DAY, Duration, parseDuration } from '../../words/duration.ts'
import {
  atLeastOne,
  exactlyOne,
  isGiven,
  isRequired,
  needs,
  not,
  when,
  withConditions,
} from '../../words/field-conditions.ts'
import { AgentId, CampaignId, ChannelId, ContactId, TemplateId, Timestamp } from '../../words/ids.ts'
import { text } from '../../words/text.ts'
import { MessageType, TrafficType } from '../../words/vocabulary.ts'
import { Content } from '../messages/channels/content.ts'
import { rcsContent } from '../messages/channels/send-conditions.ts'
import { faultsOf } from './flow.ts'

const CampaignTrigger = z.enum(['API', 'SCHEDULED', 'EVENT', 'MANUAL'])

/** The fields of a send without its recipient. */
const sendFields = {
  agent_id: AgentId.optional().describe('RCS: the agent that sends.'),
  channel_id: ChannelId.optional().describe('Email: the channel to send through.'),
  message_type: MessageType.optional().describe('Required on RCS.'),
  traffic_type: TrafficType.optional().describe('Required on RCS.'),
  content: Content.optional().describe('What to send, unless a template says it.'),
  template_id: TemplateId.optional().describe('Send a template instead of content.'),
  template_data: z
    .record(z.string().min(1).max(100), z.union([z.string().max(5_000), z.number(), z.boolean()]))
    .optional()
    .describe("Values of the template's variables, the same for every contact."),
}

interface SendLike {
  agent_id?: string | undefined
  channel_id?: string | undefined
  content?: unknown
  template_id?: string | undefined
  template_data?: unknown
}

const oneSender = ({ agent_id, channel_id }: SendLike) => (agent_id === undefined) !== (channel_id === undefined)
const oneText = ({ content, template_id }: SendLike) => (content === undefined) !== (template_id === undefined)
const dataHasTemplate = ({ template_id, template_data }: SendLike) =>
  template_id !== undefined || template_data === undefined

const broken = (field: string, code: string, error: string) => ({ path: [field], params: { code }, error })
const notOneSender = broken('agent_id', 'exactly_one', 'give exactly one of agent_id (RCS) and channel_id (email)')
const notOneText = broken('content', 'exactly_one', 'give exactly one of content and template_id')
const noTemplate = broken('template_id', 'required', 'is required with template_data')

const sendConditions = [
  exactlyOne('agent_id', 'channel_id'),
  exactlyOne('content', 'template_id'),
  needs('template_data', 'template_id'),
  when(isRequired('agent_id'), { required: ['message_type', 'traffic_type'], properties: { content: rcsContent } }),
]

const Send = withConditions(
  z
    .strictObject(sendFields)
    .refine(oneSender, notOneSender)
    .refine(oneText, notOneText)
    .refine(dataHasTemplate, noTemplate),
  ...sendConditions,
)
export type Send = z.output<typeof Send>

const NodeId = z.string().min(1).max(100)
const step = { id: NodeId.describe('Names the node within the flow.') }
const next = { next: NodeId.optional().describe('Id of the node that follows; the next in the list unless given.') }

const MAX_WAIT_DAYS = 366
const UP_TO_A_YEAR =
  '^([0-9]{1,10}ms|[0-9]{1,7}s|[0-9]{1,5}m|[0-9]{1,3}h|([0-9]{1,2}|[12][0-9]{2}|3[0-5][0-9]|36[0-6])d)$'

const SendNode = withConditions(
  z
    .strictObject({
      node: z.literal('SEND').describe('Sends a message.'),
      ...step,
      ...next,
      ...sendFields,
      fallback: z
        .union([z.literal('none'), Send])
        .default('none')
        .describe('What is sent instead where the device is not RCS-capable, or the contact has no such address.'),
    })
    .refine(oneSender, notOneSender)
    .refine(oneText, notOneText)
    .refine(dataHasTemplate, noTemplate),
  ...sendConditions,
)
export type SendNode = z.output<typeof SendNode>

const Node = z.discriminatedUnion('node', [
  SendNode,
  z.strictObject({
    node: z.literal('WAIT').describe('Keeps the contact for a time.'),
    ...step,
    ...next,
    for: Duration.refine((value) => (parseDuration(value) ?? 0) <= MAX_WAIT_DAYS * DAY, {
      error: `must be at most ${MAX_WAIT_DAYS}d`,
      params: { code: 'too_big' },
    })
      .meta({ pattern: UP_TO_A_YEAR })
      .describe('How long the contact stays here: 30s, 24h, 7d.'),
  }),
  z.strictObject({
    node: z.literal('CONDITION').describe('Asks, and goes one of two ways.'),
    ...step,
    when: z
      .enum(['delivered', 'read', 'replied'])
      .describe("Asks about the contact's last message of this run, as it stands when the contact comes by."),
    yes: NodeId.describe('Id of the node that follows when it holds.'),
    no: NodeId.describe('Id of the node that follows when it does not.'),
  }),
  withConditions(
    z
      .strictObject({
        node: z.literal('TAG').describe('Changes the tags of the contact.'),
        ...step,
        ...next,
        add: text(100, 1).optional().describe('Tag that the contact gets.'),
        remove: text(100, 1).optional().describe('Tag that the contact loses.'),
      })
      .refine(
        ({ add, remove }) => (add ?? remove) !== undefined,
        broken('add', 'required', 'give a tag to add, to remove, or one of each'),
      ),
    atLeastOne('add', 'remove'),
  ),
  z.strictObject({ node: z.literal('END').describe('The way of the contact ends.'), ...step }),
])
export type Node = z.output<typeof Node>

const Audience = z.union([
  z.strictObject({ all: z.literal(true).describe('Every contact.') }),
  z.strictObject({ tag: text(100, 1).describe('The contacts that carry this tag.') }),
  z.strictObject({ contacts: z.array(ContactId).min(1).describe('These contacts.') }),
])
export type Audience = z.output<typeof Audience>

export const definitionFields = {
  campaign_id: CampaignId.optional().describe('A new one unless given; a known one is replaced.'),
  name: text(200, 1).describe('Its name in the dashboard.'),
  trigger: CampaignTrigger.describe('What starts a run.'),
  scheduled_at: Timestamp.optional().describe('When a SCHEDULED campaign starts, ISO 8601 UTC.'),
  audience: Audience.optional().describe('Who goes through the flow. An EVENT brings its own contact.'),
  throughput: z.int().min(1).max(10_000).default(500).describe('Contacts that begin per second of world time.'),
  flow: z.array(Node).min(1).max(100).describe('The nodes; a contact begins at the first.'),
}

type Issue = (path: PropertyKey[], code: string, message: string) => void

function checkTrigger(
  { trigger, scheduled_at, audience }: z.output<z.ZodObject<typeof definitionFields>>,
  issue: Issue,
) {
  const isScheduled = trigger === 'SCHEDULED'
  if (isScheduled && scheduled_at === undefined)
    issue(['scheduled_at'], 'required', 'is required on a SCHEDULED campaign')
  if (!isScheduled && scheduled_at !== undefined)
    issue(['scheduled_at'], 'unknown_field', 'belongs to campaigns with the trigger SCHEDULED')
  const isEvent = trigger === 'EVENT'
  if (!isEvent && audience === undefined) issue(['audience'], 'required', 'is required')
  if (isEvent && audience !== undefined)
    issue(['audience'], 'unknown_field', 'does not belong to an EVENT campaign: each event brings its contact')
}

export const definitionExample = {
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
    { node: 'END', id: 'end' },
  ],
}

/** A campaign definition, which only the dashboard can create (interface §1). */
export const CampaignDefinition = withConditions(
  z.strictObject(definitionFields).superRefine((definition, context) => {
    const issue: Issue = (path, code, message) => context.addIssue({ code: 'custom', path, message, params: { code } })
    checkTrigger(definition, issue)
    for (const { index, field, code, message } of faultsOf(definition.flow))
      issue(['flow', index, field], code, message)
  }),
  when(isGiven('trigger', 'SCHEDULED'), isRequired('scheduled_at'), not(isRequired('scheduled_at'))),
  when(isGiven('trigger', 'EVENT'), not(isRequired('audience')), isRequired('audience')),
).meta({ example: definitionExample })
/** A stored definition, with its id and defaults. */
export type Definition = z.output<typeof CampaignDefinition> & { campaign_id: string }
