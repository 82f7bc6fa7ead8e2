import type { RcsContent } from '../../display/handset/shapes.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { type Answer, type ArgumentsOf, call } from '../api/client.ts'

/** A note of the service itself, such as a code of the Test Agent. */
export type ServiceNote = Answer<'inbox', 'show'>['messages'][number]

export interface Conversation {
  /** Delivered messages and the user's own, oldest first. */
  messages: readonly MessageAnswer[]
  /** Oldest first. */
  notes: readonly ServiceNote[]
  /** Number of messages to the phone that may still arrive. */
  underWay: number
  /** Contacts with this phone number. */
  contacts: readonly string[]
  /** Number of older messages that were not read and may have arrived. */
  older: number
}

/** Messages of a page, the most that a search returns. */
const PAGE = 200

/** Reads the newest messages from and to a phone. */
export async function conversationOf(phone: string, pages: number): Promise<Conversation> {
  const [sent, { messages: inbox }, found] = await Promise.all([
    newest({ to: phone }, pages),
    call('inbox', 'show', phone, { limit: PAGE }),
    // A user who wrote first has no message to the phone yet.
    call('contacts', 'list', { text: phone, limit: PAGE }),
  ])
  const owner = found.contacts.filter((one) => one.phone === phone).map(({ id }) => id)
  const contacts = new Set([...owner, ...sent.messages.flatMap(({ contact_id }) => contact_id ?? [])])
  const replies = await Promise.all(
    [...contacts].map((contact_id) => newest({ contact_id, direction: 'INBOUND' }, pages)),
  )
  const lists = [sent, ...replies]
  // Before the oldest message of a list that was not read to its end, the conversation would have gaps.
  const begin = lists.flatMap(({ messages, total }) => (messages.length < total ? [messages.at(-1)!.created_at] : []))
  const from = begin.sort().at(-1) ?? ''
  // Searches answer newest first, and on a frozen clock many messages have the same time.
  const read = lists.flatMap(({ messages }) => messages.toReversed()).filter(({ created_at }) => created_at >= from)
  const underWay =
    sent.messages.length < sent.total ? await countUnderWay(phone) : sent.messages.filter(isUnderWay).length
  const total = lists.reduce((sum, { total }) => sum + total, 0)
  return {
    messages: read.filter((one) => one.direction === 'INBOUND' || hasArrived(one)).sort(byTime),
    contacts: owner,
    underWay,
    notes: inbox.filter(({ kind }) => kind !== 'MESSAGE').reverse(),
    // Messages in progress are counted above, and loading them would show nothing.
    older: Math.max(0, total - underWay - read.filter((one) => !isUnderWay(one)).length),
  }
}

const UNDER_WAY = ['queued', 'dispatched'] as const

const isUnderWay = ({ status }: MessageAnswer) => UNDER_WAY.some((one) => one === status)

async function countUnderWay(to: string): Promise<number> {
  const counts = await Promise.all(UNDER_WAY.map((status) => search({ to, status, limit: 1 })))
  return counts.reduce((sum, { total }) => sum + total, 0)
}

async function newest(filter: Parameters<typeof search>[0], pages: number) {
  const parts = await Promise.all(
    Array.from({ length: pages }, (_, i) => search({ ...filter, limit: PAGE, offset: i * PAGE })),
  )
  const messages = new Map(parts.flatMap(({ messages }) => messages.map((one) => [one.id, one] as const)))
  return { messages: [...messages.values()], total: parts[0]!.total }
}

const search = (query: NonNullable<ArgumentsOf<'messages', 'search'>[0]>) => call('messages', 'search', query)

const hasArrived = ({ delivered_at }: MessageAnswer) => delivered_at !== null

const byTime = (a: MessageAnswer, b: MessageAnswer) => (timeOn(a) < timeOn(b) ? -1 : Number(timeOn(a) > timeOn(b)))

/** When a message came onto the phone. */
export const timeOn = ({ delivered_at, created_at }: MessageAnswer) => delivered_at ?? created_at

/** The agent of a message in either direction. */
export const agentIn = ({ agent_id, direction, to }: MessageAnswer): string | null =>
  agent_id ?? (direction === 'INBOUND' ? to : null)

/** True for a tap on an action, which is not a message of the user. */
export const isActionTap = ({ direction, content }: MessageAnswer): boolean =>
  direction === 'INBOUND' && content.type === 'suggested_action'

/**
 * Finds tapped replies, by message. A tap does not name its message, so a reply belongs to the newest message that offered
 * its text and has no reply yet.
 */
export function usedReplies(thread: readonly MessageAnswer[]): Map<string, readonly number[]> {
  const used = new Map<string, readonly number[]>()
  const open: { id: string; replies: readonly (string | undefined)[] }[] = []
  for (const message of thread) {
    const { text, suggestions = [] } = message.content as RcsContent
    if (message.direction === 'OUTBOUND')
      open.unshift({ id: message.id, replies: suggestions.map(({ reply }) => reply?.text) })
    else if (text !== undefined && !isActionTap(message)) {
      const at = open.findIndex(({ replies }) => replies.includes(text))
      for (const { id, replies } of at === -1 ? [] : open.splice(at, 1)) used.set(id, [replies.indexOf(text)])
    }
  }
  return used
}
