import { cloneElement, Fragment } from 'preact'
import { useId } from 'preact/hooks'
import type { FieldProblem } from '../api/client.ts'
import { Field, Select } from '../ui/fields.tsx'
import { Refusal } from '../ui/parts.tsx'
import { blankCard, type CardDraft, type Chip, type Draft } from './draft.ts'

export type Problems = readonly FieldProblem[]

export type ProblemsOf = (...fields: string[]) => Problems

export const Labelled = ({
  label,
  errors = [],
  children,
}: {
  label: string
  errors?: Problems
  children: preact.VNode
}) => {
  const id = useId()
  const isRefused = errors.length > 0
  // Within the label, the refusal would be a part of the name of the field.
  return (
    <div>
      <Field label={label} class="field wide">
        {isRefused ? cloneElement(children, { 'aria-invalid': true, 'aria-describedby': id }) : children}
      </Field>
      <span id={id}>
        {errors.map(({ field, message }) => (
          <Refusal key={field}>{message}</Refusal>
        ))}
      </span>
    </div>
  )
}

/** A labelled text, in one line or in several. */
export const Text = ({
  label,
  value,
  set,
  rows = 1,
  isCode = false,
  hint,
  errors = [],
}: {
  label: string
  value: string
  set: (text: string) => void
  rows?: number
  isCode?: boolean
  hint?: string
  errors?: Problems
}) => {
  const common = {
    value,
    placeholder: hint,
    dir: 'auto' as const,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
  }
  return (
    <Labelled label={label} errors={errors}>
      {rows > 1 ? (
        <textarea rows={rows} class={isCode ? 'mono' : ''} spellcheck={!isCode} {...common} />
      ) : (
        <input {...common} />
      )}
    </Labelled>
  )
}

interface ContentProps {
  current: Draft
  set: (change: Partial<Draft>) => void
  of: ProblemsOf
}

/** The content of a message, with refusals beside its fields. */
export const ContentFields = (props: ContentProps) => {
  const { current, set, of } = props
  const { kind, text, textPart, subject, html, chips } = current
  if (kind === 'Email')
    return (
      <>
        <Text label="Subject" value={subject} set={(subject) => set({ subject })} errors={of('subject')} />
        <Text label="HTML" value={html} set={(html) => set({ html })} rows={8} isCode errors={of('content')} />
        <Text label="Text part" value={textPart} set={(textPart) => set({ textPart })} rows={3} />
      </>
    )
  return (
    <>
      {kind === 'Text' ? (
        <>
          <Text label="Text" value={text} set={(text) => set({ text })} rows={4} errors={of('content.text')} />
          <ChipFields
            label="Suggestions below the message"
            chips={chips}
            most={11}
            set={(chips) => set({ chips })}
            of={(field) => of(`content.${field}`)}
          />
        </>
      ) : (
        <CardsFields {...props} />
      )}
      {of('content')
        .filter(({ field }) => !BESIDE_FIELD.test(field))
        .map(({ field, message }) => (
          <Refusal key={field}>
            {field}: {message}
          </Refusal>
        ))}
    </>
  )
}

/** Parts of the content whose refusals stand beside their fields. */
const BESIDE_FIELD =
  /^content\.(text|(rich_card\.(standalone\.content|carousel\.cards\[\d+\])\.)?(title|description|media|suggestions\[\d+\]))(\.|$)/

/** The fields of a card, or of all cards of a carousel. */
function CardsFields({ current: { kind, cards, orientation, cardWidth }, set, of }: ContentProps) {
  const isCarousel = kind === 'Carousel'
  const setCard = (at: number, change: Partial<CardDraft>) =>
    set({ cards: cards.map((card, i) => (i === at ? { ...card, ...change } : card)) })
  return (
    <>
      {isCarousel ? (
        <Labelled label="Card width">
          <Select value={cardWidth} options={['SMALL', 'MEDIUM'] as const} choose={(cardWidth) => set({ cardWidth })} />
        </Labelled>
      ) : (
        <Labelled label="Orientation">
          <Select
            value={orientation}
            options={['VERTICAL', 'HORIZONTAL'] as const}
            choose={(orientation) => set({ orientation })}
          />
        </Labelled>
      )}
      {(isCarousel ? cards : cards.slice(0, 1)).map((card, i) => {
        const place = isCarousel ? `content.rich_card.carousel.cards[${i}]` : 'content.rich_card.standalone.content'
        const inCard = (field: string) => of(`${place}.${field}`)
        return (
          <fieldset key={i} class="card-fields">
            <legend>{isCarousel ? `Card ${i + 1}` : 'Card'}</legend>
            <Text label="Title" value={card.title} set={(title) => setCard(i, { title })} errors={inCard('title')} />
            <Text
              label="Description"
              value={card.description}
              set={(description) => setCard(i, { description })}
              rows={2}
              errors={inCard('description')}
            />
            <div class="form-grid">
              <Text
                label="Media URL"
                value={card.media}
                set={(media) => setCard(i, { media: media.trim() })}
                errors={inCard('media')}
              />
              <Labelled label="Media height">
                <Select
                  value={card.height}
                  options={['SHORT', 'MEDIUM', 'TALL'] as const}
                  choose={(height) => setCard(i, { height })}
                />
              </Labelled>
            </div>
            <ChipFields
              label={`Buttons of card ${i + 1}`}
              chips={card.chips}
              most={4}
              set={(chips) => setCard(i, { chips })}
              of={inCard}
            />
            {isCarousel && cards.length > 2 && (
              <button
                type="button"
                class="button quiet small"
                onClick={() => set({ cards: cards.filter((_, at) => at !== i) })}
              >
                Remove card {i + 1}
              </button>
            )}
          </fieldset>
        )
      })}
      {isCarousel && cards.length < 10 && (
        <button type="button" class="button small" onClick={() => set({ cards: [...cards, blankCard] })}>
          Add card
        </button>
      )}
    </>
  )
}

const CHIP_KINDS = ['reply', 'open_url', 'dial'] as const
const VALUES = { reply: 'Postback data', open_url: 'URL', dial: 'Phone number' } as const

const ChipFields = ({
  label,
  chips,
  most,
  set,
  of,
}: {
  label: string
  chips: readonly Chip[]
  most: number
  set: (chips: readonly Chip[]) => void
  /** The refusals of a field beside the suggestions. */
  of: (field: string) => Problems
}) => (
  <fieldset class="chip-fields">
    <legend>{label}</legend>
    {chips.map((chip, i) => {
      const change = (part: Partial<Chip>) => set(chips.map((one, at) => (at === i ? { ...one, ...part } : one)))
      const named = (name: string) => ({ 'aria-label': name, placeholder: name })
      return (
        <Fragment key={i}>
          <div class="line">
            <Select label="Kind" value={chip.kind} options={CHIP_KINDS} choose={(kind) => change({ kind })} />
            <input
              {...named('Label')}
              value={chip.text}
              onInput={({ currentTarget }) => change({ text: currentTarget.value })}
            />
            <input
              {...named(VALUES[chip.kind])}
              value={chip.value}
              onInput={({ currentTarget }) => change({ value: currentTarget.value })}
            />
            <button
              type="button"
              class="button quiet small"
              aria-label={`Remove suggestion ${i + 1}`}
              onClick={() => set(chips.filter((_, at) => at !== i))}
            >
              ✕
            </button>
          </div>
          {of(`suggestions[${i}]`).map(({ field, message }) => (
            <Refusal key={field}>
              Suggestion {i + 1}, {/\.text$/.test(field) ? 'Label' : VALUES[chip.kind]}: {message}
            </Refusal>
          ))}
        </Fragment>
      )
    })}
    {chips.length < most && (
      <button
        type="button"
        class="button small"
        onClick={() => set([...chips, { kind: 'reply', text: chips.length === 0 ? 'Yes' : 'Reply', value: '' }])}
      >
        Add suggestion
      </button>
    )}
  </fieldset>
)
