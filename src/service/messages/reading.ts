import { readHtml } from '../../words/html.ts'
import { labelledLinksOf, linksOf } from '../../words/mail-links.ts'
import { UNDELIVERED_STATUSES } from '../../words/statuses.ts'
import type { World } from '../../world/world.ts'
import { type Content, suggestionsOf } from './channels/content.ts'
import { type MessageRow, messageStore, type RecipientFilter } from './store.ts'

export type { MessageRow } from './store.ts'

/** Lists the messages that have arrived at an address, newest first. */
export const received = (world: World, address: string, limit: number): MessageRow[] =>
  world.store(messageStore).received(address, limit)

/** Lists recipients with their newest message, and their number. */
export const recipientsOf = (world: World, filter: RecipientFilter, page: { limit: number; offset: number }) =>
  world.store(messageStore).recipients(filter, page)

/** Finds the newest message in delivery to a contact at an address. */
export const underway = (world: World, contactId: string, address: string): MessageRow | undefined =>
  world.store(messageStore).underway(contactId, address)

/** Extracts what the reader of a message sees. */
export function seen({ content, channel }: Pick<MessageRow, 'content' | 'channel'>) {
  const parsed: Content = JSON.parse(content)
  return {
    subject: parsed.subject ?? null,
    text: textOf(parsed),
    links: channel === 'EMAIL' ? linksOf(parsed) : linksOfChips(parsed),
    suggestions: suggestionsOf(parsed).map(({ reply, action }, index) => ({
      index,
      type: reply ? ('reply' as const) : ('action' as const),
      text: (reply ?? action)!.text,
      target: action?.open_url?.url ?? action?.dial?.phone_number ?? null,
    })),
  }
}

/** The links in an RCS message or SMS: those of its text, then those that a chip opens. */
const linksOfChips = (content: Content): string[] => [
  ...new Set([
    ...linksOf({ text: textOf(content) }),
    ...suggestionsOf(content).flatMap(({ action }) => action?.open_url?.url ?? []),
  ]),
]

function textOf({ text, html, rich_card }: Content): string {
  if (text !== undefined) return text
  if (html !== undefined) return readHtml(html).text
  const cards = rich_card?.standalone ? [rich_card.standalone.content] : (rich_card?.carousel?.cards ?? [])
  return cards.map(({ title, description }) => [title, description].filter(Boolean).join('\n')).join('\n\n')
}

/** Everything that a reader can find a code or a link in. */
export function readable({ content, channel }: Pick<MessageRow, 'content' | 'channel'>) {
  const parsed: Content = JSON.parse(content)
  const html = parsed.html === undefined ? undefined : readHtml(parsed.html)
  return {
    text: [parsed.subject, textOf(parsed), html?.text].filter(Boolean).join('\n\n'),
    links: channel === 'EMAIL' ? labelledLinksOf(parsed) : linksOfChips(parsed).map((url) => ({ url, text: '' })),
  }
}

/** The stages that a message can reach. An email counts as read when it is opened. */
export type MessageProgress = 'delivered' | 'read' | 'replied'

const hasCome: Readonly<Record<MessageProgress, (world: World, row: MessageRow) => boolean>> = {
  delivered: (_, row) => row.delivered_at !== null,
  read: (_, row) => row.read_at !== null || row.opened_at !== null,
  replied: (world, row) => world.store(messageStore).isAnswered(row),
}

/** Returns whether a message has reached a stage. A message that was deleted with its lease has reached none. */
export function hasComeTo(world: World, messageId: string, progress: MessageProgress): boolean {
  const row = world.store(messageStore).get(messageId)
  return row !== undefined && hasCome[progress](world, row)
}

/** Returns whether a message has ended without arriving. */
export function isLost(world: World, messageId: string): boolean {
  const status = world.store(messageStore).get(messageId)?.status
  return UNDELIVERED_STATUSES.some((end) => end === status)
}
