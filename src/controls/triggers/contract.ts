import { z } from 'zod'
import { CarrierName } from '../../network/carriers/contract.ts'
import { eventHint } from '../../words/event-patterns.ts'
import { atLeastOne, isEqual, isGiven, notBoth, rule, when, withRules } from '../../words/field-conditions.ts'
import { AgentId, CampaignId, ConsentId, EventId, MessageId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Phone } from '../../words/phone.ts'
import { checkedText, text } from '../../words/text.ts'
import { FailureReason } from '../../words/vocabulary.ts'
import { UserAnswer } from '../handsets/contract.ts'
import {
  allowedWith,
  entryOf,
  isTrigger,
  madeBy,
  subjectTypes,
  type TriggerField,
  type TriggerName,
  triggerNames,
} from './table.ts'

const isMade = (event: string): event is keyof typeof madeBy => Object.hasOwn(madeBy, event)

const KnownEvent = checkedText('unknown_event', (event) =>
  isTrigger(event) || isMade(event) ? undefined : unknown(event),
)

/** Refuses a known event that has no trigger with the call that causes it. */
const TriggerEvent = checkedText(
  'not_triggerable',
  (event) => (isMade(event) ? `${event} cannot be triggered: it ${madeBy[event]}` : undefined),
  KnownEvent,
)
  .describe('Name of the event in the catalogue.')
  .meta({ enum: triggerNames, example: 'message.read' }) as unknown as z.ZodType<TriggerName, TriggerName>

function unknown(event: string): string {
  const guess = eventHint(event, [...triggerNames, ...Object.keys(madeBy)], triggerNames)
  return `unknown event "${event.slice(0, 100)}"${guess || `; it is one of ${triggerNames.join(', ')}`}`
}

const fields = {
  message_id: MessageId.optional().describe('Message that changes, or that the user answers.'),
  agent_id: AgentId.optional().describe('Agent that changes, or that the user writes to.'),
  consent_record_id: ConsentId.optional().describe('Consent record to confirm.'),
  contact_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Contact of the only pending consent record, by id or external_id.'),
  campaign_id: CampaignId.optional().describe('Campaign to pause.'),
  phone: Phone.optional().describe('Phone of the user who writes, or whose session ends.'),
  failure_reason: FailureReason.optional().describe('Failure reason of the message.'),
  rejection_reason: text(500, 1)
    .optional()
    .describe('Reason for the rejection of the agent (default: the one in the world file).'),
  bounce_type: z.enum(['hard', 'soft']).optional().describe('Kind of bounce (default: hard).'),
  url: z.string().min(1).max(2_048).optional().describe('Link to click, exactly as in the email.'),
  index: z.int().min(0).optional().describe('Index of the link or suggestion, from 0, in the order shown.'),
  text: text(3_072, 1).optional().describe('Text of the user.'),
  carrier: CarrierName.optional().describe('Name of the carrier on which the agent launches.'),
} satisfies Record<TriggerField, z.ZodType>

const or = (names: readonly string[]) => names.join(' or ')

function missing(group: readonly TriggerField[], event: TriggerName): string {
  const choices = group.includes('failure_reason') ? `, one of ${FailureReason.options.join(', ')}` : ''
  return `${group.length > 1 ? `${or(group)} ` : ''}is required with ${event}${choices}`
}

/** Each field is valid for some events. */
const fieldRules = (Object.keys(fields) as TriggerField[]).map((field) => {
  const events = triggerNames.filter((name) => allowedWith(name).includes(field))
  return rule(when(isGiven(field), isEqual('event', ...events)), {
    field,
    code: 'conflict',
    message: ({ event }) => `is not for ${event}; it goes with ${or(events)}`,
  })
})

/** Each event requires one field of each group, and allows one. */
const eventRules = triggerNames.flatMap((event) => {
  const { one, may } = entryOf(event)
  const isOfEvent = isEqual('event', event)
  return [
    ...one.map((group) =>
      rule(when(isOfEvent, atLeastOne(...(group as [TriggerField]))), {
        field: group[0]!,
        code: 'required',
        message: missing(group, event),
      }),
    ),
    ...[...one, ...may]
      .filter(({ length }) => length === 2)
      .map(([first, second]) =>
        rule(when(isOfEvent, notBoth(first!, second!)), {
          field: second!,
          code: 'conflict',
          message: `pass ${first} or ${second}, not both`,
        }),
      ),
  ]
})

const TriggerRequest = withRules(z.strictObject({ event: TriggerEvent, ...fields }), ...fieldRules, ...eventRules).meta(
  {
    id: 'TriggerRequest',
    description: 'An event to trigger now. Each event has its own fields.',
    example: { event: 'agent.suspended', agent_id: 'ag_live_00000000-0000-4000-8000-000000000006' },
  },
)
export type TriggerRequest = z.output<typeof TriggerRequest>

const Step = z.strictObject({
  trigger: z.string().describe('Transition in the state table of the resource.'),
  from: z.string().describe('State before.'),
  to: z.string().describe('State after.'),
})
export type TriggerStep = z.infer<typeof Step>

export const TriggerResult = z
  .strictObject({
    event: z.string().describe('Name of the triggered event.'),
    subject_type: z.enum(subjectTypes).describe('Kind of the resource.'),
    subject: z.string().describe('Id of the resource as in the event log; agent and phone of a conversation.'),
    from: z.string().describe('State before.'),
    to: z.string().describe('Current state.'),
    at: Timestamp.describe('Time of the event.'),
    steps: z.array(Step).describe('Transitions on the way, each a row of the state table.'),
    events: z
      .array(
        z.strictObject({
          seq: z.int().describe('Position in the log.'),
          id: EventId,
          event: z.string().describe('Name of the event.'),
        }),
      )
      .describe('Events written to the log, in order.'),
    answer: UserAnswer.nullable().describe('The logged reply; only for conversation.started, otherwise null.'),
    message_id: MessageId.nullable().describe('Id of the logged reply; only for conversation.started, otherwise null.'),
  })
  .meta({ id: 'Triggered', description: 'Result of a triggered event.' })

export const triggerEvent = operation({
  id: 'events.trigger',
  summary: 'Trigger an event now on an existing resource',
  details: 'The resource changes by its legal transitions; otherwise the answer names what prevents the event.',
  call: 'POST /_sandbox/trigger',
  access: 'namespace',
  body: TriggerRequest,
  examples: [
    { event: 'message.read', message_id: 'msg_00000000-0000-4000-8000-000000000001' },
    { event: 'message.expired', message_id: 'msg_00000000-0000-4000-8000-000000000002' },
    {
      event: 'message.failed',
      message_id: 'msg_00000000-0000-4000-8000-000000000003',
      failure_reason: 'REJECTED_SPAM',
    },
    { event: 'email.bounced', message_id: 'msg_00000000-0000-4000-8000-000000000004', bounce_type: 'soft' },
    { event: 'email.clicked', message_id: 'msg_00000000-0000-4000-8000-000000000005', index: 0 },
    { event: 'conversation.started', phone: '+491713920050', text: 'Hello' },
    { event: 'consent.confirmed', contact_id: 'magic-42' },
    { event: 'campaign.paused_error', campaign_id: '00000000-0000-4000-8000-000000000101' },
  ],
  output: TriggerResult,
  problems: ['not_found', 'trigger_precondition_failed'],
})
