import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'

/** The conversation on a phone, oldest first: delivered messages and the user's own. */
export async function conversationOf(phone: string): Promise<MessageAnswer[]> {
  const { messages: sent } = await call('messages', 'search', { to: phone, limit: 100 })
  const contacts = [...new Set(sent.flatMap(({ contact_id }) => contact_id ?? []))]
  const said = await Promise.all(
    contacts.map((contact_id) => call('messages', 'search', { contact_id, direction: 'INBOUND', limit: 100 })),
  )
  return [...sent.filter(hasArrived), ...said.flatMap(({ messages }) => messages)].sort(byTime)
}

const hasArrived = ({ delivered_at }: MessageAnswer) => delivered_at !== null

const byTime = (a: MessageAnswer, b: MessageAnswer) => (timeOn(a) < timeOn(b) ? -1 : Number(timeOn(a) > timeOn(b)))

const timeOn = ({ delivered_at, created_at }: MessageAnswer) => delivered_at ?? created_at

/** The agent of a message in either direction. */
export const agentIn = ({ agent_id, direction, to }: MessageAnswer): string | null =>
  agent_id ?? (direction === 'INBOUND' ? to : null)
