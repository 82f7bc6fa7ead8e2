import type { z } from 'zod'
import { type InboxRow, notesTo } from '../../network/inbox/actions.ts'
import { contactByRef, recipientByEmail } from '../../service/contacts/actions.ts'
import { requireMessage } from '../../service/messages/actions.ts'
import { moveByHand } from '../../service/messages/by-hand.ts'
import { emailMessage } from '../../service/messages/channels/email.states.ts'
import type { UserAction } from '../../service/messages/events.ts'
import { type MessageRow, received, seen, underway } from '../../service/messages/reading.ts'
import { stampOf } from '../../service/messages/states.ts'
import { problem } from '../../words/problem.ts'
import type { Action, Caller } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { confirmByLink } from '../consent/actions.ts'
import { addressOf } from './actions.ts'
import type * as contract from './user-actions.contract.ts'

type UserActionName = 'open' | 'click' | 'bounce' | 'complain' | 'unsubscribe'

const EVENTS: Readonly<Record<UserActionName, string>> = {
  open: 'email.opened',
  click: 'email.clicked',
  bounce: 'email.bounced',
  complain: 'email.complained',
  unsubscribe: 'email.unsubscribed',
}

export const open: Action<typeof contract.openEmail> = (world, { params, body }) => {
  const address = addressOf(params.address)
  const note = body.message_id === undefined ? newestNote(world, address) : undefined
  // The service reports nothing about its own mail.
  return note ? answerForNote(null, null) : answerFor(world, 'open', arrived(world, address, body.message_id))
}

export const click: Action<typeof contract.clickEmail> = (world, { params, body, caller }) => {
  const note = body.message_id === undefined ? newestNote(world, addressOf(params.address)) : undefined
  if (note) return clickNote(world, note, body, caller)
  const row = arrived(world, addressOf(params.address), body.message_id)
  requirePossible(row, 'click')
  return answerFor(world, 'click', row, { url: linkOf(row, body) })
}

export const bounce: Action<typeof contract.bounceEmail> = (world, { params, body }) => {
  const address = addressOf(params.address)
  const row = body.message_id === undefined ? onItsWay(world, address) : emailTo(world, address, body.message_id)
  return answerFor(world, 'bounce', row, { bounceType: body.bounce_type })
}

export const complain: Action<typeof contract.complainOfEmail> = (world, { params, body }) =>
  doOnce(world, 'complain', arrived(world, addressOf(params.address), body.message_id))

export const unsubscribe: Action<typeof contract.unsubscribeByEmail> = (world, { params, body }) =>
  doOnce(world, 'unsubscribe', arrived(world, addressOf(params.address), body.message_id))

/** The confirmation mail of the service, where it is the newest in the mailbox. */
function newestNote(world: World, address: string): InboxRow | undefined {
  const [note] = notesTo(world, address, 1)
  const [message] = received(world, address, 1)
  return note && note.at >= (message?.delivered_at ?? 0) ? note : undefined
}

function clickNote(world: World, { link }: InboxRow, { index = 0, url }: LinkChoice, caller: Caller) {
  if (link === null) throw problem('nothing_to_answer', 'The newest email has no link to click.')
  if ((url ?? link) !== link || index > 0)
    throw problem('nothing_to_answer', `The newest email has no link ${url ?? `at index ${index}`}; it has ${link}.`)
  confirmByLink(world, link.slice(link.lastIndexOf('/') + 1), caller)
  return answerForNote('consent.updated', link)
}

const answerForNote = (event: string | null, url: string | null) => ({
  ...{ message_id: null, status: null, event, url },
  contact_status: null,
})

function arrived(world: World, address: string, messageId: string | undefined): MessageRow {
  if (messageId !== undefined) return emailTo(world, address, messageId)
  const [newest] = received(world, address, 1)
  if (newest) return newest
  throw problem('nothing_to_answer', `${address} has received no email yet.`)
}

function onItsWay(world: World, address: string): MessageRow {
  const contact = recipientByEmail(world, address)
  const row = contact && underway(world, contact.id, address)
  if (row) return row
  throw problem('nothing_to_answer', `No email is in delivery to ${address}. A delivered email cannot bounce.`)
}

function emailTo(world: World, address: string, messageId: string): MessageRow {
  const row = requireMessage(world, messageId)
  if (row.channel === 'EMAIL' && row.recipient.toLowerCase() === address.toLowerCase()) return row
  throw problem('nothing_to_answer', `${messageId} is not an email to ${address}.`)
}

function requirePossible(row: MessageRow, name: UserActionName) {
  if (emailMessage.next(row.status, name)) return
  const from = emailMessage.steps.filter(({ on }) => on === name).map((step) => step.from)
  throw problem(
    'message_state_conflict',
    `${row.id} is ${row.status}; to ${name} it, it must be ${from.join(' or ')}.`,
    { message_id: row.id, message_status: row.status },
  )
}

interface LinkChoice {
  index?: number | undefined
  url?: string | undefined
}

export function linkOf(row: MessageRow, { index = 0, url }: LinkChoice): string {
  const { links } = seen(row)
  const link = url === undefined ? links[index] : links.find((one) => one === url)
  if (link !== undefined) return link
  if (links.length === 0) throw problem('nothing_to_answer', `${row.id} has no link to click.`)
  const meant = url === undefined ? `at index ${index}` : url
  throw problem('nothing_to_answer', `${row.id} has no link ${meant}; it has ${links.join(', ')}.`)
}

/** Mail services report a complaint and an unsubscription once. */
function doOnce(world: World, name: 'complain' | 'unsubscribe', row: MessageRow) {
  if (row[stampOf[name]] === null) return answerFor(world, name, row)
  const did = name === 'complain' ? 'complained of' : 'unsubscribed by'
  throw problem('message_state_conflict', `The owner of the mailbox has ${did} ${row.id} already.`, {
    message_id: row.id,
    message_status: row.status,
  })
}

function answerFor(
  world: World,
  name: UserActionName,
  row: MessageRow,
  action: UserAction = {},
): z.input<typeof contract.Done> {
  requirePossible(row, name)
  moveByHand(world, row, name, action)
  const contact = row.contact_id === null ? undefined : contactByRef(world, row.contact_id)
  return {
    message_id: row.id,
    status: requireMessage(world, row.id).status,
    event: EVENTS[name],
    url: action.url ?? null,
    contact_status: contact?.status ?? null,
  }
}
