import type { RcsContent } from '../../display/handset/shapes.ts'
import type { MESSAGE_TYPES, TRAFFIC_TYPES } from '../../words/statuses.ts'

/** What the form of a message holds. */
export interface Draft {
  kind: 'Text' | 'Card' | 'Carousel' | 'Email'
  /** The recipients over RCS and by email. */
  phone: string
  address: string
  sender: string
  messageType: (typeof MESSAGE_TYPES)[number]
  trafficType: (typeof TRAFFIC_TYPES)[number]
  text: string
  subject: string
  html: string
  /** The text of an email beside its HTML. */
  textPart: string
  ttl: string
  chips: readonly Chip[]
  orientation: 'VERTICAL' | 'HORIZONTAL'
  cardWidth: 'SMALL' | 'MEDIUM'
  cards: readonly CardDraft[]
}

export interface Chip {
  kind: 'reply' | 'open_url' | 'dial'
  text: string
  /** Postback data, URL or phone number. */
  value: string
}

export interface CardDraft {
  title: string
  description: string
  media: string
  height: 'SHORT' | 'MEDIUM' | 'TALL'
  chips: readonly Chip[]
}

export const blankCard: CardDraft = { title: '', description: '', media: '', height: 'MEDIUM', chips: [] }

export const blankDraft: Draft = {
  kind: 'Text',
  phone: '+491713920050',
  address: 'ada@example.com',
  sender: '',
  messageType: 'MESSAGE',
  trafficType: 'TRANSACTION',
  text: 'Your parcel arrives today.',
  subject: 'Your order is on its way',
  html: '<h1>Thank you</h1>\n<p>Your parcel leaves today.</p>',
  textPart: '',
  ttl: '',
  chips: [],
  orientation: 'VERTICAL',
  cardWidth: 'MEDIUM',
  cards: [
    {
      ...blankCard,
      title: 'Blue kettle',
      description: 'Boils a litre in two minutes.',
      media: 'https://shop.example/kettle.jpg',
    },
    {
      ...blankCard,
      title: 'Green kettle',
      description: 'Keeps it warm for an hour.',
      media: 'https://shop.example/kettle-2.jpg',
    },
  ],
}

/** A sent text is no draft any more. The next message often goes to the same recipient, from the same sender. */
export const afterSend = ({ kind, phone, address, sender, messageType, trafficType }: Draft): Draft => ({
  ...blankDraft,
  ...{ kind, phone, address, sender, messageType, trafficType },
})

export const isBlank = (draft: Draft): boolean => JSON.stringify(draft) === JSON.stringify(blankDraft)

const suggestionOf = ({ kind, text, value }: Chip) =>
  kind === 'reply'
    ? { reply: { text, postback_data: base64(value || text) } }
    : kind === 'dial'
      ? { action: { text, dial: { phone_number: value } } }
      : { action: { text, open_url: { url: value } } }

/** Postback data is base64 of UTF-8. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const cardOf = ({ title, description, media, height, chips }: CardDraft) => ({
  ...(title ? { title } : {}),
  ...(description ? { description } : {}),
  ...(media ? { media: { url: media, height } } : {}),
  ...(chips.length > 0 ? { suggestions: chips.map(suggestionOf) } : {}),
})

/** The RCS content of a draft. */
export function contentOf({ kind, text, chips, cards, orientation, cardWidth }: Draft): RcsContent {
  if (kind === 'Card') return { rich_card: { standalone: { orientation, content: cardOf(cards[0]!) } } } as RcsContent
  if (kind === 'Carousel')
    return { rich_card: { carousel: { card_width: cardWidth, cards: cards.map(cardOf) } } } as RcsContent
  return { text, ...(chips.length > 0 ? { suggestions: chips.map(suggestionOf) } : {}) } as RcsContent
}

export const recipientOf = ({ kind, phone, address }: Draft): string => (kind === 'Email' ? address : phone)

/** The body of `POST /v1/messages`. */
export function bodyOf(draft: Draft): Record<string, unknown> {
  const { kind, sender, messageType, trafficType, subject, html, textPart, ttl } = draft
  const common = { to: recipientOf(draft), message_type: messageType, ...(ttl ? { ttl } : {}) }
  if (kind === 'Email')
    return { channel_id: sender, ...common, subject, content: { html, ...(textPart ? { text: textPart } : {}) } }
  return { agent_id: sender, ...common, traffic_type: trafficType, content: contentOf(draft) }
}
