import { signal } from '@preact/signals'
import { cloneElement, Fragment } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { shellWord } from '../../words/shell.ts'
import { CONSENT_TYPES, MESSAGE_TYPES, TRAFFIC_TYPES } from '../../words/statuses.ts'
import { type Answer, type FieldProblem, problemsOf } from '../api/client.ts'
import { keepDraft, readDraft } from '../api/draft.ts'
import { isShared, keyVariable } from '../api/namespace.ts'
import { commandOf } from '../api/page-action.ts'
import { useCall } from '../api/read.ts'
import { MailPreview } from '../mail/preview.tsx'
import { BothPhones } from '../messages/preview.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Field, Select, Toggles } from '../ui/fields.tsx'
import { Json, PageHead, Panel, RecordLink, Refusal, Refused, Status } from '../ui/parts.tsx'
import { euros } from '../ui/text.ts'
import { send } from './actions.ts'
import {
  afterSend,
  blankCard,
  blankDraft,
  bodyOf,
  type CardDraft,
  type Chip,
  contentOf,
  type Draft,
  isBlank,
  recipientOf,
} from './draft.ts'

/** Kept in the tab, whichever namespace is shown. */
const draft = signal<Draft>({ ...blankDraft, ...(readDraft('compose') as Partial<Draft> | undefined) })

const keep = (changed: Draft) => keepDraft('compose', isBlank(changed) ? undefined : changed)

function setDraft(changed: Draft) {
  draft.value = changed
  keep(changed)
}

const KINDS = ['Text', 'Card', 'Carousel', 'Email'] as const

type Problems = readonly FieldProblem[]

interface Sent {
  id: string
  to: string
}

export function ComposePage() {
  const world = useCall(['world', 'show'], { when: () => false })
  const isEmail = draft.value.kind === 'Email'
  const senders = isEmail
    ? (world.value?.channels ?? [])
        .filter(({ type }) => type === 'EMAIL')
        .map(({ channel_id, name }) => [channel_id, name])
    : [...(world.value?.agents ?? [])]
        // Agents that can send come first.
        .sort((a, b) => Number(b.status === 'APPROVED') - Number(a.status === 'APPROVED'))
        .map(({ agent_id, display_name }) => [agent_id, display_name ?? agent_id])
  const current = {
    ...draft.value,
    sender: senders.some(([id]) => id === draft.value.sender) ? draft.value.sender : String(senders[0]?.[0] ?? ''),
  }
  const set = (change: Partial<Draft>) => setDraft({ ...draft.value, ...change })
  const written = draft.value
  const body = bodyOf(current)
  const to = recipientOf(current)
  const [refused, setRefused] = useState<Error>()
  const [sent, setSent] = useState<Sent>()
  const lastSent = useRef<Draft>(undefined)
  // What was sent stays on the page, so that it can be changed and sent again, until the user leaves.
  useEffect(
    () => () => {
      if (draft.value === lastSent.current) setDraft(afterSend(draft.value))
    },
    [],
  )
  const forecast = useForecast(body)
  const refusedFields = problemsOf(refused)
  const problems = refusedFields.length > 0 ? refusedFields : refusalsIn(forecast)
  const of: ProblemsOf = (...fields) => problems.filter(({ field }) => fields.some((one) => field.startsWith(one)))
  return (
    <>
      <PageHead title="Compose" />
      <div class="compose">
        <form onSubmit={(event) => event.preventDefault()} onInput={() => setRefused(undefined)}>
          <Panel title="Message">
            <Toggles label="Content" value={current.kind} options={KINDS} choose={(kind) => set({ kind })} />
            <div class="form-grid">
              <Labelled label="To" errors={of('to')}>
                <input
                  list="recipients"
                  value={to}
                  onInput={({ currentTarget }) => set({ [isEmail ? 'address' : 'phone']: currentTarget.value.trim() })}
                />
              </Labelled>
              <datalist id="recipients">
                {(world.value?.magic_recipients ?? [])
                  .filter(({ address }) => address.includes('@') === isEmail)
                  .map(({ address, does }) => (
                    <option key={address} value={address}>
                      {does}
                    </option>
                  ))}
              </datalist>
              <Labelled label={isEmail ? 'Channel' : 'Agent'} errors={of('agent_id', 'channel_id')}>
                <select value={current.sender} onChange={({ currentTarget }) => set({ sender: currentTarget.value })}>
                  {senders.map(([id, name]) => (
                    <option key={String(id)} value={String(id)}>
                      {String(name)}
                    </option>
                  ))}
                </select>
              </Labelled>
              <Labelled label="Message type" errors={of('message_type')}>
                <Select
                  value={current.messageType}
                  options={isEmail ? CONSENT_TYPES : MESSAGE_TYPES}
                  choose={(messageType) => set({ messageType })}
                />
              </Labelled>
              {!isEmail && (
                <Labelled label="Traffic type" errors={of('traffic_type')}>
                  <Select
                    value={current.trafficType}
                    options={TRAFFIC_TYPES}
                    choose={(trafficType) => set({ trafficType })}
                  />
                </Labelled>
              )}
              <Text
                label="TTL"
                value={current.ttl}
                set={(ttl) => set({ ttl: ttl.trim() })}
                errors={of('ttl')}
                hint="3600s"
              />
            </div>
            <ContentFields current={current} set={set} of={of} />
            {problems
              .filter(({ field }) => !SHOWN.test(field))
              .map(({ field, message }) => (
                <Refused key={field}>
                  {field} {message}
                </Refused>
              ))}
            {refused && refusedFields.length === 0 && <Refused>{refused.message}</Refused>}
            <p class="choices wrap">
              <ActionButton
                act={send(body)}
                kind="main"
                describe={({ message_id }: { message_id: string }) => `Sent as ${message_id}.`}
                then={({ message_id }: { message_id: string }) => {
                  setRefused(undefined)
                  setSent({ id: message_id, to })
                  lastSent.current = written
                  // Typed while it was sent: a new draft.
                  if (draft.value === written) keep(afterSend(written))
                }}
                refused={(error) => {
                  setSent(undefined)
                  setRefused(error)
                }}
              >
                Send
              </ActionButton>
              {!isBlank(draft.value) && (
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    setDraft(blankDraft)
                    setSent(undefined)
                  }}
                >
                  Clear form
                </button>
              )}
            </p>
            {sent && (
              <p role="status">
                <Status of="Sent" tone="good" /> as <RecordLink id={sent.id} /> to <RecordLink id={sent.to} />
              </p>
            )}
            <Forecast of={forecast} />
          </Panel>
        </form>
        <div>
          <Panel title="Preview">
            {isEmail ? (
              <MailPreview
                mail={{
                  subject: current.subject,
                  message_type: current.messageType,
                  content: { html: current.html, text: current.textPart },
                }}
              />
            ) : (
              <BothPhones content={contentOf(current)} />
            )}
          </Panel>
          <Request body={body} />
        </div>
      </div>
    </>
  )
}

/** Fields whose refusals stand beside them. */
const SHOWN = /^(to|agent_id|channel_id|message_type|traffic_type|ttl|subject|content)/

type ProblemsOf = (...fields: string[]) => Problems

const Labelled = ({ label, errors = [], children }: { label: string; errors?: Problems; children: preact.VNode }) => {
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
const Text = ({
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

const ContentFields = (props: ContentProps) => {
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

type Forecasted = Answer<'messages', 'rehearse'>['sends'][number]

const refusalsIn = (forecast: Forecasted | undefined) => (forecast?.refusal?.details ?? []) as Problems

/** What the service would answer to this body; nothing is sent. */
function useForecast(body: Record<string, unknown>): Forecasted | undefined {
  const { value } = useCall(['messages', 'rehearse', { sends: [body] }], {
    when: () => false,
  })
  const [last, setLast] = useState<Answer<'messages', 'rehearse'>>()
  if (value && value !== last) setLast(value)
  return (value ?? last)?.sends[0]
}

const Forecast = ({ of }: { of: Forecasted | undefined }) =>
  of ? (
    <p class="note" role="status">
      <Status of={of.outcome} tone={of.outcome === 'refused' ? 'bad' : 'good'} />{' '}
      {of.outcome === 'refused'
        ? `The service would refuse this${refusalsIn(of).length > 0 ? '. Correct the marked fields.' : `: ${of.refusal?.message}`}`
        : `The service would accept this and hold ${euros(of.hold_amount)}.${of.rule_id ? ` Rule ${of.rule_id} would decide the outcome.` : ''}`}
    </p>
  ) : null

const FORMS = ['JSON', 'curl', 'CLI', 'TypeScript'] as const

/** The request in four notations. */
function Request({ body }: { body: Record<string, unknown> }) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('JSON')
  const text = TEXTS[form](body)
  return (
    <Panel
      title="Request"
      aside={
        <span class="choices">
          <Toggles label="Notation" value={form} options={FORMS} choose={setForm} />
          <CopyButton text={text} />
        </span>
      }
    >
      <Json of={text} label={`Request as ${form}`} wraps />
    </Panel>
  )
}

const pretty = (body: unknown) => JSON.stringify(body, null, 2)

const TEXTS: Readonly<Record<(typeof FORMS)[number], (body: Record<string, unknown>) => string>> = {
  JSON: pretty,
  curl: (body) =>
    [
      `curl -X POST ${location.origin}/v1/messages \\`,
      `  -H "Authorization: Bearer ${keyVariable()}" \\`,
      '  -H "Content-Type: application/json" \\',
      `  --data-raw ${shellWord(JSON.stringify(body))}`,
    ].join('\n'),
  CLI: (body) => commandOf(send(body)),
  TypeScript: (body) =>
    [
      "import { createClient } from 'messaging-sandbox'",
      '',
      `const client = createClient({ baseUrl: '${location.origin}', apiKey: ${isShared.value ? 'process.env.SANDBOX_API_KEY' : `'${keyVariable()}'`} })`,
      `const { message_id } = await client.messages.send(${pretty(body)})`,
    ].join('\n'),
}
