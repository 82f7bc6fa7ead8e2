import { notesTo } from '../../network/inbox/actions.ts'
import { received } from '../../service/messages/reading.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { normalAddress } from './address.ts'
import { positionNow } from './arrivals.ts'
import type { InboxMessage, showInbox } from './contract.ts'
import { messageToAnswer, noteToAnswer } from './entries.ts'

export { code, link } from './find.ts'

const DEFAULT_LIMIT = 50

export const show: Action<typeof showInbox> = (world, { params, query }) =>
  inboxOf(world, normalAddress(params.address), query.limit)

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

const newestFirst = (messages: InboxMessage[]) => messages.sort((a, b) => (a.at > b.at ? -1 : Number(a.at < b.at)))
