import { pageOfRecord } from '../../words/inspector-page.ts'
import { capitalised } from '../../words/sentence.ts'

/** Formats of instants, money and ids. */

/** The time of an ISO instant in UTC: `10:22:31.204`. */
export const timeOf = (at: string): string => at.slice(11, 23)

export const dayOf = (at: string): string => at.slice(0, 10)

/** `2026-11-22 10:22:31` */
export const momentOf = (at: string): string => `${dayOf(at)} ${at.slice(11, 19)}`

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** The time between two instants: `+2.3 s`, `+1 h`. */
export const between = (from: string, to: string): string => signedSpan(Date.parse(to) - Date.parse(from))

export const signedSpan = (ms: number): string => `${ms < 0 ? '−' : '+'}${spanOf(Math.abs(ms))}`

function spanOf(ms: number): string {
  const unit = UNITS.find(([size]) => ms >= size)
  if (!unit) return `${ms} ms`
  const count = ms / unit[0]
  return `${count < 10 ? Math.round(count * 10) / 10 : Math.round(count)} ${unit[1]}`
}

/** `€ 1,000.0000`, with the places that the service counts. */
export const euros = (amount: number): string =>
  `${amount < 0 ? '−' : ''}€\u00a0${Math.abs(amount).toLocaleString('en-GB', { minimumFractionDigits: 4, maximumFractionDigits: 4 })}`

/** Shortens an id for people: `msg_550e8400…`. */
export const shortId = (id: string): string =>
  id.replace(/^((?:[a-z]+_)*[0-9a-f]{8})-[0-9a-f-]{20,}([0-9a-f]{4})$/, '$1…$2')

/** `/hooks/orders at localhost:3000`: a place for a long URL may cut its end, where those of one server differ. */
export function endpointName(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname, search } = new URL(url)
  return pathname + search === '/' ? host : `${pathname}${search} at ${host}`
}

/** `logo_url` → `Logo URL` */
export const fieldTitle = (name: string): string => capitalised(name.replaceAll('_', ' ').replace(/ url$/, ' URL'))

export const channelName = (channel: string): string => (channel === 'EMAIL' ? 'Email' : channel)

export const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The page of the record of scheduled work. The id of a campaign has no prefix; some of its work is that of a contact. */
export const pageOfWork = (what: string, subject: string): string | undefined =>
  pageOfRecord(subject.split(' ').at(-1)!) ?? (what.startsWith('campaign.') ? 'campaigns' : undefined)

/** A message in one line. */
export function summaryOf(content: Record<string, unknown>): string {
  const { text, subject, html, rich_card } = content as {
    text?: string
    subject?: string
    html?: string
    rich_card?: { standalone?: { content: CardText }; carousel?: { cards: CardText[] } }
  }
  if (subject !== undefined) return subject
  if (text !== undefined) return text
  if (rich_card?.carousel) {
    const titles = rich_card.carousel.cards.map(({ title }) => title).filter(Boolean)
    return `Carousel of ${rich_card.carousel.cards.length}${titles.length > 0 ? `: ${titles.join(', ')}` : ''}`
  }
  const card = rich_card?.standalone?.content
  if (card) return card.title ?? card.description ?? 'Card'
  return html === undefined
    ? ''
    : html
        .replace(/<[^>]*>/g, ' ')
        .trim()
        .slice(0, 200)
}

interface CardText {
  title?: string
  description?: string
}
