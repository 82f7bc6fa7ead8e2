import { notesTo } from '../../network/inbox/actions.ts'
import { received, recipientsOf, seen } from '../../service/messages/reading.ts'
import { byTime } from '../../words/by-time.ts'
import { containing } from '../../words/like.ts'
import { DEFAULT_LIMIT, offsetWindow } from '../../words/page.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { normalAddress } from './address.ts'
import { positionNow } from './arrivals.ts'
import type { InboxMessage, listRecipients, showInbox } from './contract.ts'
import { messageToAnswer, noteToAnswer } from './entries.ts'

export { code, link } from './find.ts'

export const show: Action<typeof showInbox> = (world, { params, query }) =>
  inboxOf(world, normalAddress(params.address), query.limit)

export const recipients: Action<typeof listRecipients> = (world, { query }) => {
  const { kind, text, ...page } = query
  const filter = { kind: kind ?? null, like: text === undefined ? null : containing(text) }
  const { rows, total } = recipientsOf(world, filter, offsetWindow(page))
  return {
    recipients: rows.map(({ messages, ...row }) => {
      const { subject, text } = seen(row)
      return {
        address: row.recipient,
        channel_type: row.channel,
        messages,
        last_message_id: row.id,
        last_at: isoTime(row.created_at),
        status: row.status,
        text: subject ?? text,
      }
    }),
    total,
  }
}

/** Lists messages from the log and notes of the service itself. */
export function inboxOf(world: World, address: string, limit = DEFAULT_LIMIT) {
  const fromService = notesTo(world, address, limit).map(noteToAnswer)
  const fromLog = received(world, address, limit).map(messageToAnswer)
  return {
    address,
    messages: newestFirst([...fromService, ...fromLog]).slice(0, limit),
    cursor: positionNow(world),
  }
}

const newestFirst = (messages: InboxMessage[]) => messages.sort((a, b) => byTime(b, a))
