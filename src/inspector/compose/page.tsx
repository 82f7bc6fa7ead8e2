import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CONSENT_TYPES, MESSAGE_TYPES, TRAFFIC_TYPES } from '../../words/statuses.ts'
import { type Answer, problemsOf } from '../api/client.ts'
import { keepDraft, readDraft } from '../api/draft.ts'
import { useCall } from '../api/read.ts'
import { MailPreview } from '../mail/preview.tsx'
import { BothPhones } from '../messages/preview.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Select, Toggles } from '../ui/fields.tsx'
import { PageHead, Panel, RecordLink, Refused, Status } from '../ui/parts.tsx'
import { euros } from '../ui/text.ts'
import { send } from './actions.ts'
import { ContentFields, Labelled, type Problems, type ProblemsOf, Text } from './content.tsx'
import { afterSend, blankDraft, bodyOf, contentOf, type Draft, isBlank, recipientOf } from './draft.ts'
import { Request } from './request.tsx'

/** Kept in the tab, whichever namespace is shown. */
const draft = signal<Draft>({ ...blankDraft, ...(readDraft('compose') as Partial<Draft> | undefined) })

const keep = (changed: Draft) => keepDraft('compose', isBlank(changed) ? undefined : changed)

function setDraft(changed: Draft) {
  draft.value = changed
  keep(changed)
}

const KINDS = ['Text', 'Card', 'Carousel', 'Email'] as const

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
  const written = draft.value
  const body = bodyOf(current)
  const to = recipientOf(current)
  const [refused, setRefused] = useState<Error>()
  const change = (changed: Draft) => {
    setRefused(undefined)
    setDraft(changed)
  }
  const set = (changed: Partial<Draft>) => change({ ...draft.value, ...changed })
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
        <form onSubmit={(event) => event.preventDefault()}>
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
                  if (draft.value === written) setRefused(error)
                }}
              >
                Send
              </ActionButton>
              {!isBlank(draft.value) && (
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    change(blankDraft)
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
