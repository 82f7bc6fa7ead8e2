import { toEmail } from '../../words/email-address.ts'
import { type PageRequest, pageOf, windowOf } from '../../words/page.ts'
import { existing, problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime, parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { toAnswer } from './answer.ts'
import type * as contract from './contract.ts'
import { move } from './lifecycle.ts'
import { type MessageFilter, type MessageRow, messageStore } from './store.ts'

export const messageById = (world: World, id: string): MessageRow | undefined => world.store(messageStore).get(id)

export const requireMessage = (world: World, id: string): MessageRow => existing(messageById(world, id), 'message', id)

/** Counts the sends over the channel of a message, from this message to an instant. */
export const sentFrom = (world: World, row: MessageRow, before: number): number =>
  world.store(messageStore).sentFrom(row, before)

/** Finds the answer that a contact gave at an instant to the agent of a message. */
export const answerAt = (world: World, { contact_id, agent_id }: MessageRow, at: number): MessageRow | undefined =>
  agent_id === null
    ? undefined
    : world
        .store(messageStore)
        .list(
          { contact_id, agent_id, direction: 'INBOUND', created_from: at, created_to: at + 1 },
          { limit: 1, beyond: null, offset: 0 },
        )[0]

export type { MessageRow }

export const get: Action<typeof contract.getMessage> = (world, { params }) => toAnswer(requireMessage(world, params.id))

export const list: Action<typeof contract.listMessages> = (world, { query }) => {
  const { limit, cursor, offset, ...filter } = query
  return listed(world, asKept(filter), { limit, cursor, offset })
}

/** Lists messages, newest first. */
export function listed(world: World, filter: MessageFilter, query: PageRequest) {
  const window = windowOf(world, 'messages', query)
  const { items, ...page } = pageOf(world.store(messageStore).list(filter, window), window)
  return { messages: items.map(toAnswer), ...page }
}

/** The messages that match a list filter and LIKE patterns, and their total number. */
export function searched(
  world: World,
  filter: ListFilter,
  page: { limit?: number | undefined; offset?: number | undefined },
) {
  const kept = asKept(filter)
  return { messages: listed(world, kept, page).messages, total: world.store(messageStore).count(kept) }
}

interface ListFilter extends Omit<MessageFilter, 'created_from' | 'created_to'> {
  created_from?: string | undefined
  created_to?: string | undefined
}

/** Filter values as the store has them: instants as numbers, domains of addresses in lower case. */
const asKept = ({ created_from, created_to, to, ...filter }: ListFilter): MessageFilter => ({
  ...filter,
  created_from: created_from === undefined ? undefined : parseIsoTime(created_from),
  created_to: created_to === undefined ? undefined : parseIsoTime(created_to),
  to: to && (toEmail(to) ?? to),
})

export const revoke: Action<typeof contract.revokeMessage> = (world, { params }) => {
  const row = requireMessage(world, params.id)
  if (!move(world, row, 'revoke'))
    throw problem('message_not_revocable', `The message is ${row.status}; only a queued one can be revoked.`, {
      message_status: row.status,
    })
  return { id: row.id, status: 'revoked', revoked_at: isoTime(world.now()) }
}
