import { type InboxRow, notesTo } from '../../network/inbox/actions.ts'
import { type MessageRow, received, seen } from '../../service/messages/reading.ts'
import { addressFault } from '../../words/address.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { toEmail } from '../../words/email.ts'
import { isPhone } from '../../words/phone.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { InboxMessage, showInbox } from './contract.ts'

const DEFAULT_LIMIT = 50

export const show: Action<typeof showInbox> = (world, { params, query }) =>
  inboxOf(world, normal(params.address), query.limit)

/** Lists messages from the log and notes of the service itself. */
export function inboxOf(world: World, address: string, limit = DEFAULT_LIMIT) {
  const fromService = notesTo(world, address, limit).map(noteToAnswer)
  const fromLog = received(world, address, limit).map(messageToAnswer)
  return { address, messages: newestFirst([...fromService, ...fromLog]).slice(0, limit) }
}

const newestFirst = (messages: InboxMessage[]) => messages.sort((a, b) => (a.at > b.at ? -1 : Number(a.at < b.at)))

const noteToAnswer = ({ at, channel_type, kind, subject, text, link }: InboxRow): InboxMessage => ({
  at: isoTime(at),
  channel_type,
  kind,
  subject,
  text,
  link,
})

function messageToAnswer(row: MessageRow): InboxMessage {
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

function normal(text: string): string {
  const address = isPhone(text) ? text : toEmail(text)
  if (address === undefined) throw brokenField('address', 'invalid_address', addressFault(text))
  return address
}
