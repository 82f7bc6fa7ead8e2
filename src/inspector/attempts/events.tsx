import { useState } from 'preact/hooks'
import type { DeliveryAnswer } from '../api/answers.ts'
import type { Answer } from '../api/client.ts'
import { hrefOf } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Empty, Json, Loaded, pretty, RecordLink, Status, When } from '../ui/parts.tsx'
import { headerLines, shortId } from '../ui/text.ts'
import { replay } from './actions.ts'
import { reasonToWait, replayOutcome } from './replayed.ts'
import { problemOf } from './result.ts'

interface Logged {
  seq: number
  id: string
  event: string
  timestamp: string
}

interface Props {
  events: readonly Logged[]
  deliveries: readonly DeliveryAnswer[]
  /** True for attempts to show. */
  includes: (at: string) => boolean
}

/** Events with their exact bytes and delivery attempts. */
export function EventsOf({ events, deliveries, includes }: Props) {
  const [open, setOpen] = useState<string>()
  if (events.length === 0) return <Empty>No events yet.</Empty>
  return (
    <ul class="events">
      {events.map(({ id, event, timestamp }) => {
        const own = deliveries.filter(({ event_id }) => event_id === id)
        return (
          <li key={id}>
            <div class="line">
              <button
                type="button"
                class="button quiet small"
                aria-expanded={open === id}
                onClick={() => setOpen(open === id ? undefined : id)}
              >
                {open === id ? '▾' : '▸'} {event}
              </button>
              <When at={timestamp} precise />
              {own.map((one) => (
                <Progress key={one.id} of={one} />
              ))}
              <span class="space" />
              <a href={hrefOf({ page: 'events', id })}>Event</a>
              <ReplayButton event={id} />
            </div>
            {open === id && <AttemptsOf event={id} deliveries={own} includes={includes} />}
          </li>
        )
      })}
    </ul>
  )
}

const TONES: Readonly<Record<string, string>> = { delivered: 'good', failed: 'bad', cancelled: 'warn', pending: 'busy' }

/** A delivery in a few words, with what its endpoint answered unless that was a success. */
const Progress = ({ of: delivery }: { of: DeliveryAnswer }) => {
  const { status, url, endpoint_id } = delivery
  const problem = status === 'delivered' ? undefined : problemOf([delivery])
  return (
    <span title={url ?? endpoint_id}>
      <Status
        of={`webhook ${status}${problem === undefined ? '' : ` (${problem})`}`}
        tone={problem === undefined ? TONES[status] : 'bad'}
      />
    </span>
  )
}

export const ReplayButton = ({ event, endpoint }: { event: string; endpoint?: string }) => (
  <ActionButton
    act={replay(event, endpoint)}
    class="small"
    describe={(answer: Answer<'events', 'replay'>) => replayOutcome(answer)}
  >
    Replay
  </ActionButton>
)

/** All attempts to deliver an event, and its exact bytes. */
export function AttemptsOf({
  event: id,
  deliveries,
  includes = () => true,
}: Pick<Props, 'deliveries'> & Partial<Pick<Props, 'includes'>> & { event: string }) {
  const event = useCall(['events', 'show', id], { when: () => false })
  return (
    <Loaded read={event}>
      {({ body, headers }) => (
        <div class="event">
          {deliveries.length === 0 && <Empty>No endpoint was subscribed to this event.</Empty>}
          {deliveries.map((delivery) => (
            <Attempts
              key={delivery.id}
              delivery={{ ...delivery, attempts: delivery.attempts.filter(({ at }) => includes(at)) }}
              body={body}
              headers={headers}
              url={delivery.url ?? delivery.endpoint_id}
            />
          ))}
          <ExactBody of={body} label="The body of the event" />
        </div>
      )}
    </Loaded>
  )
}

/** What an endpoint receives and what is signed. */
export const ExactBody = ({ of, label }: { of: string; label: string }) => (
  <>
    <h3>
      Body, byte for byte <CopyButton text={of} />
    </h3>
    <p class="note">
      <code>X-Service-Signature</code> is the HMAC-SHA256 of these bytes in hexadecimal, with the secret of the endpoint
      as the key.
    </p>
    <Json of={of} label={label} wraps />
  </>
)

export const Attempts = ({
  delivery,
  body,
  headers = {},
  url,
  signatureOf = () => 'sha256=… (of these bytes, with the secret of the endpoint)',
}: {
  delivery: DeliveryAnswer
  body: string
  headers?: Readonly<Record<string, string>>
  url: string
  signatureOf?: (attempt: ShownAttempt) => string
}) => (
  <div class="attempts">
    <h3>
      <Status of={delivery.status} tone={TONES[delivery.status]} /> <code>{url}</code>
      {delivery.next_attempt_at && (
        <span class="note">
          {' '}
          next attempt <When at={delivery.next_attempt_at} precise />
        </span>
      )}
    </h3>
    {delivery.status === 'waiting' && (
      <p class="note">Waiting: events of one record are delivered in order, and {reasonToWait(delivery)}.</p>
    )}
    {delivery.attempts.map((attempt) => (
      <OneAttempt
        key={attempt.number}
        of={attempt}
        request={[
          `POST ${url}`,
          headerLines({
            'Content-Type': 'application/json',
            ...headers,
            'X-Service-Event-Id': delivery.event_id,
            'X-Service-Delivery-Attempt': String(attempt.number),
            'X-Service-Signature': signatureOf(attempt),
          }),
          '',
          pretty(body),
        ].join('\n')}
      />
    ))}
  </div>
)

export type ShownAttempt = DeliveryAnswer['attempts'][number]

const OneAttempt = ({
  of: { number, at, status_code, duration_ms, error, response, fault },
  request,
}: {
  of: ShownAttempt
  request: string
}) => (
  <details>
    <summary>
      <span class="mono">{number}.</span> <When at={at} precise />{' '}
      {status_code === null ? error : `HTTP ${status_code}`} <span class="quiet">{duration_ms} ms</span>
      {fault && <span class="status warn">fault: {shortId(fault)}</span>}
    </summary>
    {fault && (
      <p class="note">
        Changed by the fault <RecordLink id={fault} page="network" />.
      </p>
    )}
    <h4>Request</h4>
    <Json label={`Request of attempt ${number}`} of={request} />
    <h4>Answer</h4>
    <Json label={`Answer to attempt ${number}`} of={answerOf(status_code, error, response)} />
  </details>
)

function answerOf(code: number | null, error: string | null, response: string | null): string {
  const head = code === null ? `No answer: ${error}` : `HTTP ${code}${error ? ` (${error})` : ''}`
  return response ? `${head}\n\n${response}` : head
}
