import { createHash } from 'node:crypto'
import type { AnswerTo } from '../client/answers.ts'
import type { Envelope } from './envelope.ts'

type Message = AnswerTo<'messages.list'>['messages'][number]

/** A message as a service shows it: of the fields that interface §2.6 leaves open any may be missing. */
export type ShownMessage = Pick<Message, 'id' | 'status' | 'created_at'> & Partial<Message>

/** Steps that are the event of a message of every channel, and those of email, whose arrival has a name of its own. */
const MESSAGE_STEPS = ['queued', 'delivered', 'read', 'failed', 'expired', 'revoked'] as const
const EMAIL_STEPS = ['delivered', 'bounced', 'opened', 'clicked'] as const

/** Names of the events that a message log lets one see. */
export const VISIBLE_EVENTS: readonly string[] = [
  ...MESSAGE_STEPS.map((step) => `message.${step}`),
  ...EMAIL_STEPS.map((step) => `email.${step}`),
]

/**
 * The events that have led a message to where it stands, oldest first. Their ids follow from the message and the step, so that a
 * receiver knows one again that comes twice. What the log does not show is left out: a bounce has no code here.
 */
export function statusEvents(message: ShownMessage): Envelope[] {
  if (message.direction === 'INBOUND') return []
  return stepsOf(message).flatMap(({ type, at }) => {
    const event = nameOf(message, type)
    return event === undefined
      ? []
      : [{ id: idOf(message.id, type, at), event, timestamp: at, data: dataOf(message, type, at) }]
  })
}

/** A service may show no timeline, but the status and when that was reached. */
function stepsOf({ events, status, created_at, ...fields }: ShownMessage): { type: string; at: string }[] {
  if (events) return [...events]
  const at = (fields as Record<string, unknown>)[`${status}_at`]
  return [
    { type: 'queued', at: created_at },
    ...(status === 'queued' ? [] : [{ type: status, at: typeof at === 'string' ? at : created_at }]),
  ]
}

const isEmail = ({ channel, to }: ShownMessage) =>
  channel === 'EMAIL' || (channel === undefined && to?.includes('@') === true)

function nameOf(message: ShownMessage, step: string): string | undefined {
  const name =
    isEmail(message) && (EMAIL_STEPS as readonly string[]).includes(step) ? `email.${step}` : `message.${step}`
  return VISIBLE_EVENTS.includes(name) ? name : undefined
}

function dataOf(message: ShownMessage, step: string, at: string): Record<string, unknown> {
  const email = isEmail(message)
  const sender = email || message.agent_id == null ? { channel_id: message.channel_id } : { agent_id: message.agent_id }
  const stated = email && (EMAIL_STEPS as readonly string[]).includes(step) ? {} : { status: step }
  const reason = step === 'failed' ? { failure_reason: message.failure_reason } : {}
  return { message_id: message.id, ...sender, to: message.to, ...stated, ...reason, [`${step}_at`]: at }
}

function idOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex')
  return `evt_${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
