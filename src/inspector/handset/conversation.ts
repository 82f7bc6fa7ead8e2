import type { MessageAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'

/** A note of the service itself, such as a code of the Test Agent. */
export type ServiceNote = Answer<'inbox', 'show'>['messages'][number]

export interface Conversation {
  /** Delivered messages and the user's own, oldest first. */
  messages: readonly MessageAnswer[]
  notes: readonly ServiceNote[]
  /** Number of messages to this phone that are not shown. */
  older: number
}

const MOST = 200

export async function conversationOf(phone: string): Promise<Conversation> {
  const [{ messages: sent, total }, { messages: inbox }] = await Promise.all([
    call('messages', 'search', { to: phone, limit: MOST }),
    call('inbox', 'show', phone, { limit: MOST }),
  ])
  const contacts = [...new Set(sent.flatMap(({ contact_id }) => contact_id ?? []))]
  const replies = await Promise.all(
    contacts.map((contact_id) => call('messages', 'search', { contact_id, direction: 'INBOUND', limit: MOST })),
  )
  return {
    messages: [...sent.filter(hasArrived), ...replies.flatMap(({ messages }) => messages)].sort(byTime),
    notes: inbox.filter(({ kind }) => kind !== 'MESSAGE').reverse(),
    older: Math.max(0, total - MOST),
  }
}

const hasArrived = ({ delivered_at }: MessageAnswer) => delivered_at !== null

const byTime = (a: MessageAnswer, b: MessageAnswer) => (timeOn(a) < timeOn(b) ? -1 : Number(timeOn(a) > timeOn(b)))

const timeOn = ({ delivered_at, created_at }: MessageAnswer) => delivered_at ?? created_at

/** The agent of a message in either direction. */
export const agentIn = ({ agent_id, direction, to }: MessageAnswer): string | null =>
  agent_id ?? (direction === 'INBOUND' ? to : null)

/** True for a tap on an action, which is no message of the user. */
export const isActionTap = ({ direction, content }: MessageAnswer): boolean =>
  direction === 'INBOUND' && content.type === 'suggested_action'
