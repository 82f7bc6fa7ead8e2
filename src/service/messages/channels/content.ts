import { z } from 'zod'
import { chosen } from '../../../words/choice.ts'
import { Phone } from '../../../words/phone.ts'
import { filledText, text, WebUrl } from '../../../words/text.ts'
import { validate } from '../../../words/validate.ts'

/** Interface §2.4 and §8. */
export const LIMITS = {
  text: 3_072,
  suggestions: 11,
  cardSuggestions: 4,
  carouselCards: { min: 2, max: 10 },
  cardTitle: 200,
  cardDescription: 2_000,
  suggestionText: 25,
  postbackData: 2_048,
  /** Ten parts of 153 characters: the most that is common for one SMS. */
  smsText: 1_530,
} as const

/** Of an email. A line break would begin another header of it. */
export const Subject = text(998, 1)
  .refine((value) => !/[\n\v\f\r\x85\u2028\u2029]/.test(value), {
    error: 'must be one line: it has a line break',
    params: { code: 'line_break' },
  })
  .meta({ maxLength: 998, minLength: 1, pattern: '\\S' })

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const Reply = z.strictObject({
  text: text(LIMITS.suggestionText, 1).describe('What the chip says.'),
  postback_data: z
    .string()
    .min(1)
    .max(LIMITS.postbackData)
    .regex(BASE64, 'must be base64')
    .describe('Base64; comes back in conversation.started when the chip is tapped.'),
})

const SuggestedAction = z
  .strictObject({
    text: text(LIMITS.suggestionText, 1).describe('What the chip says.'),
    dial: z.strictObject({ phone_number: Phone }).optional(),
    open_url: z.strictObject({ url: WebUrl }).optional(),
  })
  .refine(
    ({ dial, open_url }) => (dial === undefined) !== (open_url === undefined),
    'must have exactly one of dial, open_url',
  )

export const Suggestion = z
  .strictObject({ reply: Reply.optional(), action: SuggestedAction.optional() })
  .refine(
    ({ reply, action }) => (reply === undefined) !== (action === undefined),
    'must have exactly one of reply, action',
  )
  .meta({ id: 'Suggestion' })
export type Suggestion = z.infer<typeof Suggestion>

const Media = z.strictObject({
  url: WebUrl,
  ...chosen({ height: z.enum(['SHORT', 'MEDIUM', 'TALL']), thumbnail_url: WebUrl.optional() }),
})

const Card = z
  .strictObject({
    title: text(LIMITS.cardTitle, 1).optional(),
    description: text(LIMITS.cardDescription, 1).optional(),
    media: Media.optional(),
    suggestions: z.array(Suggestion).max(LIMITS.cardSuggestions).optional(),
  })
  .refine(
    ({ title, description, media }) => title !== undefined || description !== undefined || media !== undefined,
    'must have at least one of title, description, media',
  )
  .meta({ id: 'Card' })

const RichCard = z
  .strictObject({
    standalone: z
      .strictObject({ ...chosen({ orientation: z.enum(['VERTICAL', 'HORIZONTAL']) }), content: Card })
      .optional(),
    carousel: z
      .strictObject({
        ...chosen({ card_width: z.enum(['SMALL', 'MEDIUM']) }),
        cards: z.array(Card).min(LIMITS.carouselCards.min).max(LIMITS.carouselCards.max),
      })
      .optional(),
  })
  .refine(
    ({ standalone, carousel }) => (standalone === undefined) !== (carousel === undefined),
    'must have exactly one of standalone, carousel',
  )

/** Content of every channel in one object; each channel says which go together. */
export const Content = z
  .strictObject({
    text: filledText().optional().describe('Plain text; on RCS at most 3,072 characters.'),
    suggestions: z
      .array(Suggestion)
      .max(LIMITS.suggestions)
      .optional()
      .describe('RCS: reply and action chips under the text.'),
    rich_card: RichCard.optional().describe('RCS: one card or a carousel, instead of text.'),
    ...chosen({
      html: filledText().optional().describe('Email: the HTML part.'),
      subject: Subject.optional().describe('Email: the subject, unless given at top level.'),
    }),
  })
  .meta({ id: 'Content' })
export type Content = z.infer<typeof Content>

/** Reads a content in the form of a channel. It is wrapped, so that a fault is named content.text and not text. */
export function contentReader(form: z.ZodType<Content>): (content: unknown) => Content {
  const Wrapped = z.strictObject({ content: form })
  return (content) => validate(Wrapped, { content }, 'content').content
}

/** The form that a content takes in the log (choices, "Log object"). */
export function contentTypeOf(content: Content, templateId: string | undefined) {
  if (templateId !== undefined) return 'TEMPLATE'
  if (content.html !== undefined) return 'HTML'
  return content.rich_card !== undefined || (content.suggestions?.length ?? 0) > 0 ? 'INTERACTIVE' : 'TEXT'
}

/** The chips of a message, in the order a person sees them. */
export function suggestionsOf(content: Content): Suggestion[] {
  const { standalone, carousel } = content.rich_card ?? {}
  const cards = standalone ? [standalone.content] : (carousel?.cards ?? [])
  return [...(content.suggestions ?? []), ...cards.flatMap((card) => card.suggestions ?? [])]
}

const HREF = /href\s*=\s*["'](https?:\/\/[^"']+)["']/gi
const PLAIN_LINK = /https?:\/\/[^\s<>"']+/g

/** The links of an email, each once: those of its HTML, else those of its text. */
export function linksOf({ html, text: plain }: Content): string[] {
  const inHtml = [...(html ?? '').matchAll(HREF)].map(([, url]) => url!.replaceAll('&amp;', '&'))
  return [...new Set(inHtml.length > 0 ? inHtml : ((plain ?? '').match(PLAIN_LINK) ?? []))]
}

/** The first link of an email; undefined without one. */
export const firstLinkOf = (content: Content): string | undefined => linksOf(content)[0]
