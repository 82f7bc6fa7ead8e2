import { z } from 'zod'
import { markChosen } from '../../../words/choice.ts'
import { atLeastOne, exactlyOne, notBoth, rule, withRules } from '../../../words/field-conditions.ts'
import { Phone } from '../../../words/phone.ts'
import { nonBlankText, text, WebUrl } from '../../../words/text.ts'
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
  /** Ten parts of 153 characters, the usual limit of one SMS. */
  smsText: 1_530,
} as const

/** The subject of an email. A line break would begin another header, so it is refused. */
export const EmailSubject = text(998, 1)
  .refine((value) => !/[\n\v\f\r\x85\u2028\u2029]/.test(value), {
    error: 'must be one line: it has a line break',
    params: { code: 'line_break' },
  })
  .meta({ maxLength: 998, minLength: 1, pattern: '\\S' })

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const Reply = z.strictObject({
  text: text(LIMITS.suggestionText, 1).describe('Text of the suggestion.'),
  postback_data: z
    .string()
    .min(1)
    .max(LIMITS.postbackData)
    .regex(BASE64, 'must be base64: "dGhhbmtz" for "thanks"')
    .describe('Postback data, base64. It is returned in conversation.started after a tap.'),
})

const SuggestedAction = withRules(
  z.strictObject({
    text: text(LIMITS.suggestionText, 1).describe('Text of the suggestion.'),
    dial: z
      .strictObject({ phone_number: Phone.describe('Phone number to dial.') })
      .optional()
      .describe('Calls a number.'),
    open_url: z
      .strictObject({ url: WebUrl.meta({ example: 'https://example.com/offer' }).describe('URL of the page to open.') })
      .optional()
      .describe('Opens a page.'),
  }),
  rule(exactlyOne('dial', 'open_url'), { message: 'must have exactly one of dial, open_url' }),
)

export const Suggestion = withRules(
  z.strictObject({
    reply: Reply.optional().describe('Answers the agent.'),
    action: SuggestedAction.optional().describe('Performs an action on the phone.'),
  }),
  rule(exactlyOne('reply', 'action'), { message: 'must have exactly one of reply, action' }),
).meta({
  id: 'Suggestion',
  description: 'A suggestion: either a reply or an action.',
  example: { reply: { text: 'Yes', postback_data: 'eWVz' } },
})
export type Suggestion = z.infer<typeof Suggestion>

const Media = z.strictObject({
  url: WebUrl.describe('URL of the image or video.'),
  ...markChosen({
    height: z.enum(['SHORT', 'MEDIUM', 'TALL']).describe('Height of the media.'),
    thumbnail_url: WebUrl.optional().describe('URL of a smaller preview image.'),
  }),
})

const Card = withRules(
  z.strictObject({
    title: text(LIMITS.cardTitle, 1).optional().describe('Title, at most 200 characters.'),
    description: text(LIMITS.cardDescription, 1).optional().describe('Description, at most 2,000 characters.'),
    media: Media.optional().describe('Image or video.'),
    suggestions: z
      .array(Suggestion)
      .max(LIMITS.cardSuggestions)
      .optional()
      .describe('Suggestions of the card, at most 4.'),
  }),
  rule(atLeastOne('title', 'description', 'media'), { message: 'must have at least one of title, description, media' }),
).meta({ id: 'Card', description: 'A card with at least one of title, description and media.' })

const RichCard = withRules(
  z.strictObject({
    standalone: z
      .strictObject({
        ...markChosen({
          orientation: z.enum(['VERTICAL', 'HORIZONTAL']).describe('Orientation: media above or beside the text.'),
        }),
        content: Card.describe('Content of the card.'),
      })
      .optional()
      .describe('A single card.'),
    carousel: z
      .strictObject({
        ...markChosen({ card_width: z.enum(['SMALL', 'MEDIUM']).describe('Width of the cards.') }),
        cards: z.array(Card).min(LIMITS.carouselCards.min).max(LIMITS.carouselCards.max).describe('Cards, 2 to 10.'),
      })
      .optional()
      .describe('Cards in a row.'),
  }),
  rule(exactlyOne('standalone', 'carousel'), { message: 'must have exactly one of standalone, carousel' }),
)

/** The content of every channel in one object; each channel says which fields go together. */
export const Content = z
  .strictObject({
    text: nonBlankText().optional().describe('Plain text; at most 3,072 characters for RCS.'),
    suggestions: z.array(Suggestion).max(LIMITS.suggestions).optional().describe('Suggestions below the text (RCS).'),
    rich_card: RichCard.optional().describe('A card or a carousel, instead of text (RCS).'),
    ...markChosen({
      html: nonBlankText().optional().describe('HTML part (email).'),
      subject: EmailSubject.optional().describe('Subject (email), alternative to the one at top level.'),
    }),
  })
  .meta({ id: 'Content', description: 'Content of a message. The valid fields depend on the channel.' })
export type Content = z.infer<typeof Content>

/** Interface §2.4: text with or without suggestions, or a rich card. */
export const rcsContentRules = [
  rule(exactlyOne('text', 'rich_card'), { message: 'must have exactly one of text, rich_card' }),
  rule(notBoth('suggestions', 'rich_card'), { field: 'suggestions', message: 'belong to the cards of a rich card' }),
]

export const emailContentRules = [rule(atLeastOne('text', 'html'), { message: 'must have at least one of html, text' })]

/** Reads a content in the form of a channel. One with a fault is wrapped, so that it is named content.text and not text. */
export function contentReader(form: z.ZodType<Content>): (content: unknown) => Content {
  const Wrapped = z.strictObject({ content: form })
  return (content) => form.safeParse(content).data ?? validate(Wrapped, { content }, 'content').content
}

/** The form that a content takes in the log (choices, "Added fields and sets of values"). */
export function contentTypeOf(content: Content, templateId: string | undefined) {
  if (templateId !== undefined) return 'TEMPLATE'
  if (content.html !== undefined) return 'HTML'
  return content.rich_card !== undefined || (content.suggestions?.length ?? 0) > 0 ? 'INTERACTIVE' : 'TEXT'
}

/** Lists the chips of a message, in the order in which a person sees them. */
export function suggestionsOf(content: Content): Suggestion[] {
  const { standalone, carousel } = content.rich_card ?? {}
  const cards = standalone ? [standalone.content] : (carousel?.cards ?? [])
  return [...(content.suggestions ?? []), ...cards.flatMap((card) => card.suggestions ?? [])]
}
