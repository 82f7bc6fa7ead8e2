import { createHash } from 'node:crypto'
import type { AnswerTo } from '../client/answers.ts'
import type { Envelope } from './envelope.ts'

type Message = AnswerTo<'messages.list'>['messages'][number]

/** A message of a service, which may omit any field that interface §2.6 leaves open. */
export type ShownMessage = Pick<Message, 'id' | 'status' | 'created_at'> & Partial<Message>

/** Timeline steps with an event on every channel, and the step of email, whose delivery has its own event. */
const MESSAGE_STEPS = ['queued', 'delivered', 'read', 'failed', 'expired', 'revoked'] as const
const EMAIL_STEPS = ['delivered', 'bounced', 'opened', 'clicked'] as const

/** Events that a message log reveals. */
export const VISIBLE_EVENTS: readonly string[] = [
  ...MESSAGE_STEPS.map((step) => `message.${step}`),
  ...EMAIL_STEPS.map((step) => `email.${step}`),
]

/**
 * Derives the events behind a message's state, oldest first. Ids follow from message and step, so that receivers
 * recognise repetitions. Fields that the log does not show are missing: a bounce has no code.
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

/** Falls back to the status and its instant where there is no timeline. */
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
