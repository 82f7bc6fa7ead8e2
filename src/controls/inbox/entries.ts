import type { InboxRow } from '../../network/inbox/actions.ts'
import { type MessageRow, seen } from '../../service/messages/reading.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { InboxMessage } from './contract.ts'

export const noteToAnswer = ({ seq: _, address: __, at, ...note }: InboxRow): InboxMessage => ({
  at: isoTime(at),
  ...note,
})

export function messageToAnswer(row: MessageRow): InboxMessage {
  const { subject, text, links, suggestions } = seen(row)
  return {
    at: isoTime(row.delivered_at!),
    channel_type: row.channel,
    kind: 'MESSAGE',
    subject,
    text,
    link: links[0] ?? null,
    message_id: row.id,
    from: row.agent_id ?? row.channel_id!,
    status: row.status,
    links,
    suggestions,
  }
}
