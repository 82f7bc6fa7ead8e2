import { isOfRcsAlone } from '../../network/carriers/plan.rules.ts'
import { type MessageRow, requireMessage } from '../../service/messages/actions.ts'
import { type ByHand, moveAlong } from '../../service/messages/by-hand.ts'
import { channels } from '../../service/messages/channels/index.ts'
import { refusalOf } from '../../service/messages/plan.ts'
import { stampOf, type Trigger } from '../../service/messages/states.ts'
import type { World } from '../../world/world.ts'
import { linkOf } from '../mailboxes/user-actions.ts'
import type { TriggerRequest } from './contract.ts'
import type { TriggerAction, TriggerActions, TriggerOutcome } from './precondition.ts'
import { asTriggerRefusal, noStep, preconditionFailed, type TriggerSubject } from './precondition.ts'
import { pathTo } from './rules.ts'
import { entryOf, MESSAGE_TRIGGERS, PROGRESS, type TriggerName } from './table.ts'

const ONCE: ReadonlySet<Trigger> = new Set(['complain', 'unsubscribe'])

/** The corresponding event of another channel. */
const OTHER_CHANNELS_EVENT: Readonly<Record<string, string>> = {
  'message.delivered EMAIL': 'The event of an email is email.delivered.',
  'message.read EMAIL': 'email.opened is that of an email.',
  'message.read SMS': 'An SMS sends no read receipt.',
  'message.failed EMAIL': 'An email bounces: email.bounced.',
  'email.delivered RCS': 'message.delivered is that of RCS.',
  'email.delivered SMS': 'message.delivered is that of SMS.',
  'email.bounced RCS': 'message.failed is that of RCS.',
  'email.bounced SMS': 'message.failed is that of SMS.',
  'email.opened RCS': 'message.read is that of RCS.',
  'email.opened SMS': 'An SMS sends no read receipt.',
  'email.clicked RCS': 'A suggestion is tapped with conversation.started and its index.',
  'email.unsubscribed RCS': 'On RCS the user replies STOP: conversation.started with that text.',
}

const moves =
  (trigger: Trigger): TriggerAction =>
  (world, request) => {
    const row = requireMessage(world, request.message_id!)
    const subject: TriggerSubject = { event: request.event, field: 'message_id', id: row.id, state: row.status }
    const path = triggerPath(row, request.event, trigger, subject)
    checkArrival(world, row, path, subject)
    const steps = moveAlong(world, row, path, userActionOf(row, request, subject))
    return { subject: row.id, from: row.status, to: steps.at(-1)!.to, steps } satisfies TriggerOutcome
  }

/** Finds the steps to the event, or refuses with the reason. */
function triggerPath(row: MessageRow, event: TriggerName, trigger: Trigger, subject: TriggerSubject): Trigger[] {
  const { channels: possible } = entryOf(event)
  if (row.direction === 'INBOUND')
    throw preconditionFailed(subject, {
      code: 'inbound',
      message: `${row.id} came from a user; only sent messages have such events.`,
    })
  if (!possible!.includes(row.channel)) {
    const instead = OTHER_CHANNELS_EVENT[`${event} ${row.channel}`]
    const what = row.channel === 'EMAIL' ? 'an email' : `a message over ${row.channel}`
    const message = `${row.id} is ${what}, which has no ${event}.${instead ? ` ${instead}` : ''}`
    throw preconditionFailed(subject, { code: 'wrong_channel', message })
  }
  const table = channels[row.channel].machine
  const path = pathTo(table, row.status, trigger, PROGRESS)
  if (!path) throw noStep(table, trigger, subject, ENDED, PROGRESS)
  if (ONCE.has(trigger) && row[stampOf[trigger]] !== null)
    throw preconditionFailed(subject, {
      code: 'already',
      message: `${event} happened to ${row.id} already, and happens only once.`,
    })
  return path.map(({ on }) => on as Trigger)
}

const ENDED = 'This status is final; send another message.'

/** Refuses to deliver a message that its carrier refuses (interface §2.7, §6). */
function checkArrival(world: World, row: MessageRow, path: readonly Trigger[], subject: TriggerSubject) {
  const refusal = path.includes('deliver') ? refusalOf(world, row) : undefined
  if (!refusal) return
  const message = `The carrier of ${row.recipient} refuses ${row.id}: ${REFUSALS[refusal]}. It can only fail.`
  throw preconditionFailed(subject, { code: 'refused_by_carrier', message })
}

const REFUSALS = {
  REJECTED_SPAM: 'the use_case of its agent does not permit this traffic_type (REJECTED_SPAM)',
  CARRIER_NOT_LAUNCHED: 'its agent is not launched there (CARRIER_NOT_LAUNCHED)',
} as const

function userActionOf(row: MessageRow, request: TriggerRequest, subject: TriggerSubject): ByHand {
  const { event, failure_reason, bounce_type } = request
  if (event === 'email.clicked') return { url: asTriggerRefusal(subject, () => linkOf(row, request)) }
  if (event === 'email.bounced') return { bounceType: bounce_type ?? 'hard' }
  if (row.channel === 'SMS' && failure_reason && isOfRcsAlone(failure_reason))
    throw preconditionFailed(
      { ...subject, field: 'failure_reason' },
      { code: 'of_rcs_alone', message: `${failure_reason} is a failure reason of RCS only, and ${row.id} is an SMS.` },
    )
  return failure_reason === undefined ? {} : { failureReason: failure_reason }
}

export const messageTriggers = Object.fromEntries(
  Object.entries(MESSAGE_TRIGGERS).map(([event, trigger]) => [event, moves(trigger)]),
) as TriggerActions<'message' | 'email'>
