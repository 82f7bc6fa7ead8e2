import { useState } from 'preact/hooks'
import { FAILURE_REASONS } from '../../words/statuses.ts'
import type { ExplanationAnswer, MessageAnswer } from '../api/answers.ts'
import type { StreamedEvent } from '../api/live.ts'
import { go, hrefOf, listQuery } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { EventsOf } from '../attempts/events.tsx'
import { possibilitiesOf, whyNotRevoked } from '../states/possible.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Select } from '../ui/fields.tsx'
import { useNames } from '../ui/names.ts'
import { Empty, Facts, Id, isFrozen, Json, Loaded, PageHead, Panel, RecordLink, Status, When } from '../ui/parts.tsx'
import { channelName, euros, summaryOf } from '../ui/text.ts'
import { useTitle } from '../ui/title.ts'
import { type FailureChoice, resend, revoke, trigger } from './actions.ts'
import { addressOf, endsOf } from './ends.ts'
import { deliveryAt, messageAt, momentsOf, TimeSlider, useMoment } from './moment.tsx'
import { Preview } from './preview.tsx'
import { nextOf, Story } from './story.tsx'
import { Timeline } from './timeline.tsx'

/** Polls messages that have not ended, since they may change without an event. */
const RELOAD_MS = 1_000

/** A message as a page, or beside the list. */
export function OneMessage({ id, isBeside = false }: { id: string; isBeside?: boolean }) {
  const when = ({ data }: StreamedEvent) => data.message_id === id
  const message = useCall(['messages', 'get', id], { when, everyMs: RELOAD_MS })
  if (!message.value)
    return (
      <>
        {isBeside ? (
          <p class="message-head">
            <BackToList isBeside /> Message {id}
          </p>
        ) : (
          <PageHead title={`Message ${id}`} back={['messages', 'Messages']} />
        )}
        <Loaded read={message}>{() => null}</Loaded>
      </>
    )
  return <Whole message={message.value} isBeside={isBeside} when={when} />
}

function Whole({
  message,
  isBeside,
  when,
}: {
  message: MessageAnswer
  isBeside: boolean
  when: (event: StreamedEvent) => boolean
}) {
  const { id } = message
  const story = useCall(['messages', 'explain', id], { when, everyMs: RELOAD_MS })
  const events = useCall(['events', 'list', { subject: id, limit: 1000 }], { when })
  const deliveries = useCall(['events', 'deliveries', { subject: id, limit: 200 } as never], { everyMs: RELOAD_MS })
  const moments = momentsOf(message, deliveries.value?.data ?? [])
  const moment = useMoment(moments)
  const logged = (events.value?.events ?? []).filter(({ timestamp }) => moment.includes(timestamp))
  const seen = messageAt(message, moment)
  return (
    <div class="one">
      <Head of={message} seen={seen} story={story.value} isBeside={isBeside} />
      <TimeSlider moments={moments} moment={moment} message={seen} />
      <div class="one-grid">
        <div>
          <Panel title="Preview" class="seen">
            <Preview of={message} hasArrived={moment.isNow || seen.events.some(({ type }) => type === 'delivered')} />
          </Panel>
          <Panel title="Why">
            <Loaded read={story}>{(explanation) => <Story of={until(explanation, moment)} />}</Loaded>
          </Panel>
        </div>
        <div>
          <Panel title="Timeline" class="timeline">
            <Timeline message={seen} events={events.value?.events ?? []} />
          </Panel>
          {moment.isNow && (
            <Panel title="Trigger an event">
              <Possible of={message} happened={(events.value?.events ?? []).map(({ event }) => event)} />
            </Panel>
          )}
          <Panel title="Events and webhooks">
            <Loaded read={events}>
              {() => (
                <EventsOf
                  events={logged}
                  deliveries={(deliveries.value?.data ?? [])
                    .filter(({ created_at }) => moment.includes(created_at))
                    .map((one) => deliveryAt(one, moment))}
                  includes={moment.includes}
                />
              )}
            </Loaded>
          </Panel>
          <Panel title="Billing">
            <Billing of={seen} story={story.value && until(story.value, moment)} />
          </Panel>
          <Panel title="Details">
            <Details of={message} />
          </Panel>
          <Raw of={message} />
        </div>
      </div>
    </div>
  )
}

/** The explanation as far as a moment. */
const until = (explanation: ExplanationAnswer, { includes, isNow }: ReturnType<typeof useMoment>): ExplanationAnswer =>
  isNow
    ? explanation
    : { ...explanation, steps: explanation.steps.filter(({ at }) => includes(at)), near_misses: [], next: null }

const BackToList = ({ isBeside }: { isBeside: boolean }) => (
  <a class="back" href={hrefOf({ page: 'messages', query: listQuery() })}>
    {isBeside ? '✕ Close' : '← Messages'}
  </a>
)

function Head({
  of: one,
  seen,
  story,
  isBeside,
}: {
  of: MessageAnswer
  seen: MessageAnswer
  story: ExplanationAnswer | undefined
  isBeside: boolean
}) {
  const { from, to } = endsOf(one, useNames())
  const text = summaryOf(one.content)
  useTitle(`Message to ${to}, ${one.status}`)
  const cause = story && causeOf(seen.status, story)
  const device = one.channel === 'EMAIL' ? 'mailboxes' : 'handsets'
  return (
    <header class="message-head">
      <p class="line">
        <BackToList isBeside={isBeside} />
        {isBeside ? (
          <a href={hrefOf({ page: 'messages', id: one.id, query: listQuery() })}>Open as page</a>
        ) : (
          <code class="id">{one.id}</code>
        )}
        <span class="space" />
        {one.direction === 'OUTBOUND' && (
          <>
            <ActionButton
              act={resend(one)}
              class="small"
              describe={(sent: { message_id: string }) => `Sent again as ${sent.message_id}.`}
              then={(sent: { message_id: string }) => go({ page: 'messages', id: sent.message_id })}
            >
              Send again
            </ActionButton>
            <ActionButton
              act={revoke(one.id)}
              because={whyNotRevoked(one)}
              kind="danger"
              class="small"
              confirm={{
                title: 'Revoke this message?',
                lost: 'The message will not be sent. To send it later, use “Send again”.',
              }}
            >
              Revoke
            </ActionButton>
          </>
        )}
      </p>
      {isBeside ? <h2 class="subject">{subjectOf(text)}</h2> : <h1 class="subject">{subjectOf(text)}</h1>}
      <p class="line">
        <Status of={seen.status} />
        {seen.failure_reason && <strong class="reason">{seen.failure_reason}</strong>}
        <span>
          {channelName(one.channel)} from <bdi>{from}</bdi> to{' '}
          {one.direction === 'OUTBOUND' ? (
            <a
              href={hrefOf({ page: device, id: to, ...(device === 'mailboxes' ? { query: { message: one.id } } : {}) })}
            >
              <bdi class="mono">{to}</bdi>
            </a>
          ) : (
            <bdi>{to}</bdi>
          )}
        </span>
      </p>
      {(seen.error_message || cause) && (
        <p class="refused">
          {seen.error_message} <Cause of={cause} />
        </p>
      )}
      {story && seen === one && <Waiting story={story} />}
    </header>
  )
}

/** What ended a message badly. Only a failed one has a text of its own that says it. */
const causeOf = (status: string, { steps }: ExplanationAnswer) =>
  ['failed', 'bounced', 'expired'].includes(status)
    ? (steps
        .find(({ what }) => what === status)
        ?.because.find(({ about }) => about !== 'ttl' && !MONEY.includes(about)) ??
      steps.findLast(({ what }) => what === 'held_up')?.because[0])
    : undefined

/** A message that is held up, will never arrive, or needs an advance of the clock; others are on their way. */
function Waiting({ story: { status, steps, next } }: { story: ExplanationAnswer }) {
  if (status !== 'queued' && status !== 'dispatched') return null
  const last = steps.at(-1)!
  const reason =
    last.what === 'held_up' || next?.what === 'message.expire'
      ? last.because[0]
      : next?.because.find(({ about }) => about === 'waiting')
  if (!reason && !isFrozen.value) return null
  return (
    <p class="held-up">
      {reason && (
        <>
          This message waits. <Cause of={reason} />{' '}
        </>
      )}
      {next && (
        <>
          Next: {nextOf(next)} <When at={next.at} />
        </>
      )}{' '}
      {isFrozen.value && (
        <>
          The clock is frozen: <a href={hrefOf({ page: 'time' })}>advance it</a>.
        </>
      )}
    </p>
  )
}

/** What decided the outcome: a magic recipient, a rule, a setting of the phone, or the carrier. */
const Cause = ({ of: reason }: { of: ExplanationAnswer['steps'][number]['because'][number] | undefined }) =>
  reason ? (
    <bdi>
      Cause: {reason.about} {reason.says}.
    </bdi>
  ) : null

const subjectOf = (text: string) => <bdi>{text || 'Message without text'}</bdi>

const MONEY = ['classification', 'tier', 'price', 'ledger']

function Billing({ of: { cost, direction }, story }: { of: MessageAnswer; story: ExplanationAnswer | undefined }) {
  if (direction === 'INBOUND') return <Empty>Messages from users are free.</Empty>
  const reasons = (story?.steps ?? []).flatMap(({ because }) => because).filter(({ about }) => MONEY.includes(about))
  return (
    <Facts
      of={[
        ['Charged', cost === null ? 'not settled yet' : euros(Number(cost))],
        ...reasons.map(({ about, says }) => [about, says] as const),
      ]}
    />
  )
}

function Possible({ of: one, happened }: { of: MessageAnswer; happened: readonly string[] }) {
  const [reason, setReason] = useState<FailureChoice>('UNKNOWN_RCS_USER')
  const list = possibilitiesOf({ ...one, happened }).sort((a, b) => Number(!!a.because) - Number(!!b.because))
  if (list.length === 0) return <Empty>Messages from users have no further events.</Empty>
  return (
    <ul class="possible">
      {list.map(({ event, does, because }) => (
        <li key={event}>
          <ActionButton
            act={trigger(one.id, event, event === 'message.failed' ? reason : undefined)}
            because={because}
            class="small"
          >
            {event}
          </ActionButton>
          {event === 'message.failed' && !because && (
            <Select label="Failure reason" value={reason} options={FAILURE_REASONS} choose={setReason} />
          )}
          <span class="note">{because ?? does}</span>
        </li>
      ))}
    </ul>
  )
}

const Details = ({ of: one }: { of: MessageAnswer }) => (
  <Facts
    of={[
      ['Message type', one.message_type],
      ['Traffic type', one.traffic_type],
      ['Content type', one.content_type],
      ['Agent', <RecordLink id={one.agent_id} />],
      ['Channel', <Id of={one.channel_id} />],
      ['Contact', <RecordLink id={one.contact_id} />],
      ['Campaign', <RecordLink page="campaigns" id={one.campaign_id} />],
      ['Template', <Id of={one.template_id} />],
      ['TTL', one.ttl],
      ['Created', <When at={one.created_at} precise />],
      ['Same recipient', <a href={hrefOf({ page: 'messages', query: { to: addressOf(one) } })}>Show messages</a>],
    ]}
  />
)

function Raw({ of: one }: { of: MessageAnswer }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Raw JSON"
      aside={
        <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </button>
      }
    >
      {isOpen && <Json of={one} label="The message as the API returns it" />}
    </Panel>
  )
}
