import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { type Answer, call, ServerRefusal } from '../api/client.ts'
import { commandOf, quoted } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { MailPreview } from '../mail/preview.tsx'
import { BothPhones } from '../messages/preview.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { Json, MessageLink, PageHead, Panel, Status } from '../ui/parts.tsx'
import { euros } from '../ui/text.ts'
import { send } from './actions.ts'
import { blankCard, blankDraft, bodyOf, type CardDraft, type Chip, contentOf, type Draft } from './draft.ts'

/** Kept while other pages are open. */
const draft = signal<Draft>(blankDraft)

const KINDS = ['text', 'card', 'carousel', 'email'] as const
const TYPES = ['MESSAGE', 'CONVERSATION', 'NEWSLETTER'] as const
const TRAFFIC = ['TRANSACTION', 'AUTHENTICATION', 'PROMOTION'] as const

interface Refused {
  message: string
  details: readonly { field: string; message: string }[]
}

export function ComposePage() {
  const world = useRead('world of compose', () => call('world', 'show'), { when: () => false })
  const isEmail = draft.value.kind === 'email'
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
    to: draft.value.to || (place.value.query.to ?? (isEmail ? 'ada@example.com' : '+491713920050')),
  }
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const body = bodyOf(current)
  const [refused, setRefused] = useState<Refused>()
  const [sent, setSent] = useState<string>()
  const forecast = useForecast(body)
  const problems = refused?.details ?? forecast?.details ?? []
  const of = (...fields: string[]) =>
    problems.filter(({ field }) => fields.some((one) => field === one || field.startsWith(one)))
  return (
    <>
      <PageHead title="Compose" />
      <div class="compose">
        <form onSubmit={(event) => event.preventDefault()} onInput={() => setRefused(undefined)}>
          <Panel title="Message">
            <fieldset class="toggles" aria-label="Content">
              {KINDS.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  class="button"
                  aria-pressed={current.kind === kind}
                  onClick={() => set({ kind, to: '', ...(kind === 'email' ? { text: '' } : {}) })}
                >
                  {kind}
                </button>
              ))}
            </fieldset>
            <div class="form-grid">
              <Labelled label="To" errors={of('to')}>
                <input
                  list="recipients"
                  value={current.to}
                  onInput={({ currentTarget }) => set({ to: currentTarget.value.trim() })}
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
                  options={isEmail ? (['MESSAGE', 'NEWSLETTER'] as const) : TYPES}
                  choose={(messageType) => set({ messageType })}
                />
              </Labelled>
              {!isEmail && (
                <Labelled label="Traffic type" errors={of('traffic_type')}>
                  <Select
                    value={current.trafficType}
                    options={TRAFFIC}
                    choose={(trafficType) => set({ trafficType })}
                  />
                </Labelled>
              )}
              <Labelled label="ttl" errors={of('ttl')}>
                <input
                  value={current.ttl}
                  placeholder="3600s"
                  onInput={({ currentTarget }) => set({ ttl: currentTarget.value.trim() })}
                />
              </Labelled>
            </div>
            <ContentFields current={current} set={set} of={of} />
            {problems
              .filter(({ field }) => !SHOWN.test(field))
              .map(({ field, message }) => (
                <p key={field} class="refused" role="alert">
                  {field} {message}
                </p>
              ))}
            {refused && refused.details.length === 0 && (
              <p class="refused" role="alert">
                {refused.message}
              </p>
            )}
            <p class="choices wrap">
              <ActionButton
                act={send(body)}
                kind="main"
                describe={({ message_id }: { message_id: string }) => `Sent as ${message_id}.`}
                then={({ message_id }: { message_id: string }) => {
                  setRefused(undefined)
                  setSent(message_id)
                }}
                refused={(error) =>
                  setRefused({
                    message: error.message,
                    details: error instanceof ServerRefusal ? ((error.body.details as Refused['details']) ?? []) : [],
                  })
                }
              >
                Send
              </ActionButton>
              {sent && (
                <span>
                  Sent as <MessageLink id={sent} />, to{' '}
                  <a href={hrefOf({ page: isEmail ? 'mailboxes' : 'handsets', id: current.to })}>{current.to}</a>
                </span>
              )}
            </p>
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
                  content: { html: current.html, text: current.text },
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

type Problems = readonly { field: string; message: string }[]

const Labelled = ({
  label,
  errors,
  children,
}: {
  label: string
  errors: Problems
  children: preact.ComponentChildren
}) => (
  <Field label={label} class="field wide">
    {children}
    {errors.map(({ field, message }) => (
      <span key={field} class="refusal" role="alert">
        {message}
      </span>
    ))}
  </Field>
)

function ContentFields({
  current,
  set,
  of,
}: {
  current: Draft
  set: (change: Partial<Draft>) => void
  of: (...fields: string[]) => Problems
}) {
  const { kind, text, subject, html, cards, chips, orientation, cardWidth } = current
  const setCard = (at: number, change: Partial<CardDraft>) =>
    set({ cards: cards.map((card, i) => (i === at ? { ...card, ...change } : card)) })
  if (kind === 'email')
    return (
      <>
        <Labelled label="Subject" errors={of('subject')}>
          <input value={subject} onInput={({ currentTarget }) => set({ subject: currentTarget.value })} />
        </Labelled>
        <Labelled label="HTML" errors={of('content')}>
          <textarea
            rows={8}
            class="mono"
            spellcheck={false}
            value={html}
            onInput={({ currentTarget }) => set({ html: currentTarget.value })}
          />
        </Labelled>
        <Labelled label="Text part" errors={[]}>
          <textarea rows={3} value={text} onInput={({ currentTarget }) => set({ text: currentTarget.value })} />
        </Labelled>
      </>
    )
  return (
    <>
      {kind === 'text' && (
        <Labelled label="Text" errors={of('content.text')}>
          <textarea rows={4} value={text} onInput={({ currentTarget }) => set({ text: currentTarget.value })} />
        </Labelled>
      )}
      {kind === 'card' && (
        <Labelled label="Orientation" errors={of('content.rich_card.standalone.orientation')}>
          <Select
            value={orientation}
            options={['VERTICAL', 'HORIZONTAL'] as const}
            choose={(orientation) => set({ orientation })}
          />
        </Labelled>
      )}
      {kind === 'carousel' && (
        <Labelled label="Card width" errors={of('content.rich_card.carousel.card_width')}>
          <Select value={cardWidth} options={['SMALL', 'MEDIUM'] as const} choose={(cardWidth) => set({ cardWidth })} />
        </Labelled>
      )}
      {kind !== 'text' &&
        (kind === 'card' ? cards.slice(0, 1) : cards).map((card, i) => (
          <fieldset key={i} class="card-fields">
            <legend>{kind === 'card' ? 'Card' : `Card ${i + 1}`}</legend>
            <Labelled label="Title" errors={[]}>
              <input value={card.title} onInput={({ currentTarget }) => setCard(i, { title: currentTarget.value })} />
            </Labelled>
            <Labelled label="Description" errors={[]}>
              <textarea
                rows={2}
                value={card.description}
                onInput={({ currentTarget }) => setCard(i, { description: currentTarget.value })}
              />
            </Labelled>
            <div class="form-grid">
              <Labelled label="Media URL" errors={[]}>
                <input
                  value={card.media}
                  onInput={({ currentTarget }) => setCard(i, { media: currentTarget.value.trim() })}
                />
              </Labelled>
              <Labelled label="Media height" errors={[]}>
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
            />
            {kind === 'carousel' && cards.length > 2 && (
              <button
                type="button"
                class="button quiet small"
                onClick={() => set({ cards: cards.filter((_, at) => at !== i) })}
              >
                Remove card {i + 1}
              </button>
            )}
          </fieldset>
        ))}
      {kind === 'carousel' && cards.length < 10 && (
        <button type="button" class="button small" onClick={() => set({ cards: [...cards, blankCard] })}>
          Add card
        </button>
      )}
      {kind === 'text' && (
        <ChipFields label="Suggestions below the message" chips={chips} most={11} set={(chips) => set({ chips })} />
      )}
      {of('content')
        .filter(({ field }) => field !== 'content.text')
        .map(({ field, message }) => (
          <p key={field} class="refusal" role="alert">
            {field}: {message}
          </p>
        ))}
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
}: {
  label: string
  chips: readonly Chip[]
  most: number
  set: (chips: readonly Chip[]) => void
}) => (
  <fieldset class="chip-fields">
    <legend>{label}</legend>
    {chips.map((chip, i) => {
      const change = (part: Partial<Chip>) => set(chips.map((one, at) => (at === i ? { ...one, ...part } : one)))
      return (
        <div key={i} class="line">
          <Select label="Kind" value={chip.kind} options={CHIP_KINDS} choose={(kind) => change({ kind })} />
          <input
            aria-label="Label"
            placeholder="Label"
            maxLength={25}
            value={chip.text}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <input
            aria-label={VALUES[chip.kind]}
            placeholder={VALUES[chip.kind]}
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

interface Forecasted {
  outcome: string
  hold: number
  message: string | undefined
  rule: string | null
  details: Problems
}

/** What the service would answer to this body; nothing is sent. */
function useForecast(body: Record<string, unknown>): Forecasted | undefined {
  const { value } = useRead(`forecast ${JSON.stringify(body)}`, () => call('messages', 'rehearse', { sends: [body] }), {
    when: () => false,
  })
  const [last, setLast] = useState<Answer<'messages', 'rehearse'>>()
  if (value && value !== last) setLast(value)
  const one = (value ?? last)?.sends[0]
  if (!one) return undefined
  return {
    outcome: one.outcome,
    hold: one.hold_amount,
    message: one.refusal?.message,
    rule: one.rule_id,
    details: (one.refusal?.details as Problems | undefined) ?? [],
  }
}

const Forecast = ({ of }: { of: Forecasted | undefined }) =>
  of ? (
    <p class="note" role="status">
      <Status of={of.outcome} tone={of.outcome === 'refused' ? 'bad' : 'good'} />{' '}
      {of.outcome === 'refused'
        ? `The service would refuse this: ${of.message}`
        : `The service would accept this and hold ${euros(of.hold)}.${of.rule ? ` Rule ${of.rule} would decide the outcome.` : ''}`}
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
          {FORMS.map((one) => (
            <button
              key={one}
              type="button"
              class="button small"
              aria-pressed={form === one}
              onClick={() => setForm(one)}
            >
              {one}
            </button>
          ))}
          <button type="button" class="button small" onClick={() => void navigator.clipboard?.writeText(text)}>
            Copy
          </button>
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
      `  -H "Authorization: Bearer sk_sandbox_${place.value.namespace}" \\`,
      '  -H "Content-Type: application/json" \\',
      `  --data-raw ${quoted(JSON.stringify(body))}`,
    ].join('\n'),
  CLI: (body) => commandOf(send(body)),
  TypeScript: (body) =>
    [
      "import { createClient } from 'messaging-sandbox'",
      '',
      `const client = createClient({ baseUrl: '${location.origin}', apiKey: 'sk_sandbox_${place.value.namespace}' })`,
      `const { message_id } = await client.messages.send(${pretty(body)})`,
    ].join('\n'),
}
