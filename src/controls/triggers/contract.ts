import { z } from 'zod'
import { CarrierName } from '../../network/carriers/contract.ts'
import { atLeastOne, isGiven as given, notBoth, when, withConditions } from '../../words/field-conditions.ts'
import { AgentId, CampaignId, ConsentId, EventId, MessageId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Phone } from '../../words/phone.ts'
import { suggest } from '../../words/suggest.ts'
import { text } from '../../words/text.ts'
import { FailureReason } from '../../words/vocabulary.ts'
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

/** Refuses a known event that has no trigger with the call that causes it. */
const TriggerEvent = z
  .string()
  .check(({ value, issues }) => {
    if (isTrigger(value)) return
    const made = Object.hasOwn(madeBy, value) ? madeBy[value as keyof typeof madeBy] : undefined
    issues.push({
      code: 'custom',
      input: value,
      message: made ? `${value} is not triggered: it ${made}` : unknown(value),
      params: { code: made ? 'not_triggerable' : 'unknown_event' },
    })
  })
  .describe('What is to happen, by its name in the catalogue of events.')
  .meta({ enum: triggerNames, example: 'message.read' }) as unknown as z.ZodType<TriggerName, TriggerName>

function unknown(event: string): string {
  const guess = suggest(event, [...triggerNames, ...Object.keys(madeBy)])
  return `there is nothing to trigger called "${event.slice(0, 100)}"${guess || `; it is one of ${triggerNames.join(', ')}`}`
}

const fields = {
  message_id: MessageId.optional().describe('The message that moves, or that the user answers.'),
  agent_id: AgentId.optional().describe('The agent that moves, or that the user of the phone speaks with.'),
  consent_record_id: ConsentId.optional().describe('The consent record that is confirmed.'),
  contact_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Or its contact, by id or external_id, where one record of it waits for confirmation.'),
  campaign_id: CampaignId.optional().describe('The campaign that is paused.'),
  phone: Phone.optional().describe('The phone whose user speaks, or whose session ends.'),
  failure_reason: FailureReason.optional().describe('Why the message fails.'),
  rejection_reason: text(500, 1).optional().describe('Why the agent is rejected; as the world has it unless given.'),
  bounce_type: z.enum(['hard', 'soft']).optional().describe('How the email bounces; hard unless given.'),
  url: z.string().min(1).max(2_048).optional().describe('The link that is clicked, as it stands in the email.'),
  index: z
    .int()
    .min(0)
    .optional()
    .describe('Which link is clicked, or which suggestion is tapped, from 0, in the order they are shown.'),
  text: text(3_072, 1).optional().describe('What the user of the phone types.'),
  carrier: CarrierName.optional().describe('Name of the carrier that the agent goes live on.'),
} satisfies Record<TriggerField, z.ZodType>

type TriggerInput = { event: TriggerName } & { [F in TriggerField]?: unknown }

const or = (names: readonly string[]) => names.join(' or ')

/** Checks the fields together, because each event has fields of its own. */
function checkFields({ value, issues }: z.core.ParsePayload<TriggerInput>) {
  const { event, ...rest } = value
  if (!isTrigger(event)) return
  const add = (field: TriggerField, code: string, message: string) =>
    issues.push({ code: 'custom', input: value, path: [field], message, params: { code } })
  const isGiven = (field: TriggerField) => rest[field] !== undefined
  const { one, may } = entryOf(event)
  const allowed = allowedWith(event)
  for (const field of Object.keys(fields) as TriggerField[])
    if (isGiven(field) && !allowed.includes(field)) add(field, 'conflict', strange(field, event))
  for (const group of one) if (!group.some(isGiven)) add(group[0]!, 'required', missing(group, event))
  for (const group of [...one, ...may])
    if (group.filter(isGiven).length > 1) add(group[1]!, 'conflict', `give ${or(group)}, not both`)
}

const strange = (field: TriggerField, event: TriggerName) =>
  `is not for ${event}; it goes with ${or(triggerNames.filter((name) => allowedWith(name).includes(field)))}`

function missing(group: readonly TriggerField[], event: TriggerName): string {
  const choices = group.includes('failure_reason') ? `, one of ${FailureReason.options.join(', ')}` : ''
  return `${group.length > 1 ? `${or(group)} ` : ''}is required with ${event}${choices}`
}

/** {@link checkFields} for validators. */
function conditionOf(event: TriggerName) {
  const { one, may } = entryOf(event)
  return when(given('event', event), {
    propertyNames: { enum: ['event', ...allowedWith(event)] },
    allOf: [
      ...one.map((group) => atLeastOne(...(group as [TriggerField]))),
      ...[...one, ...may].filter(({ length }) => length === 2).map(([a, b]) => notBoth(a!, b!)),
    ],
  })
}

const TriggerRequest = withConditions(
  z.strictObject({ event: TriggerEvent, ...fields }).check(checkFields),
  ...triggerNames.map(conditionOf),
).meta({
  id: 'TriggerRequest',
  description: 'Something that is to happen now; each event has fields of its own.',
  example: { event: 'agent.suspended', agent_id: 'ag_live_00000000-0000-4000-8000-000000000006' },
})
export type TriggerRequest = z.output<typeof TriggerRequest>

const Step = z.strictObject({
  trigger: z.string().describe('As the state table of the subject names it.'),
  from: z.string().describe('The state before.'),
  to: z.string().describe('The state after.'),
})
export type TriggerStep = z.infer<typeof Step>

export const TriggerResult = z
  .strictObject({
    event: z.string().describe('As it was asked for.'),
    subject_type: z.enum(subjectTypes).describe('What it happened to.'),
    subject: z.string().describe('Its id, as the event log has it; of a conversation the agent and the phone.'),
    from: z.string().describe('The state before.'),
    to: z.string().describe('The state now.'),
    at: Timestamp.describe('When.'),
    steps: z.array(Step).describe('Every transition on the way, each a row of the state table.'),
    events: z
      .array(
        z.strictObject({
          seq: z.int().describe('Its place in the log.'),
          id: EventId,
          event: z.string().describe('Its name.'),
        }),
      )
      .describe('What was written to the event log, in its order.'),
    message_id: MessageId.nullable().describe(
      'What the user said, as it is logged; null but for conversation.started.',
    ),
  })
  .meta({ id: 'Triggered', description: 'What came of a trigger.' })

export const triggerEvent = operation({
  id: 'events.trigger',
  summary: 'Trigger an event now on an existing resource',
  details: 'The resource changes by its legal transitions; otherwise the answer names what prevents the event.',
  call: 'POST /_sandbox/trigger',
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
