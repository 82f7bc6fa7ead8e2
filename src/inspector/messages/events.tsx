import { useState } from 'preact/hooks'
import type { EndpointAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Empty, Json, Loaded, pretty, Status, When } from '../ui/parts.tsx'
import { replay } from './actions.ts'

interface Logged {
  seq: number
  id: string
  event: string
  timestamp: string
}

/** Events with their exact bytes and delivery attempts. */
export function EventsOf({ events }: { events: readonly Logged[] }) {
  const [open, setOpen] = useState<string>()
  const endpoints = useRead('endpoints', () => call('webhooks', 'list', { limit: 200 }), { when: () => false })
  if (events.length === 0) return <Empty>No event tells of it yet.</Empty>
  return (
    <ul class="events">
      {events.map(({ id, seq, event, timestamp }) => (
        <li key={id}>
          <div class="line">
            <button
              type="button"
              class="button quiet"
              aria-expanded={open === id}
              onClick={() => setOpen(open === id ? undefined : id)}
            >
              {open === id ? '▾' : '▸'} {event}
            </button>
            <When at={timestamp} />
            <span class="quiet mono">#{seq}</span>
            <span class="space" />
            <ActionButton
              act={replay(id)}
              kind="quiet"
              says={({ deliveries }: { deliveries: unknown[] }) => `Delivered again to ${deliveries.length} endpoints.`}
            >
              Replay
            </ActionButton>
          </div>
          {open === id && <OneEvent id={id} endpoints={endpoints.value?.data ?? []} />}
        </li>
      ))}
    </ul>
  )
}

/** Retries have no event, so attempts are polled. */
const ATTEMPTS_MS = 1_000

function OneEvent({ id, endpoints }: { id: string; endpoints: readonly EndpointAnswer[] }) {
  const event = useRead(`event ${id}`, () => call('events', 'show', id), { everyMs: ATTEMPTS_MS })
  return (
    <Loaded read={event}>
      {({ body, deliveries }) => (
        <div class="event">
          {deliveries.length === 0 && <Empty>No endpoint was subscribed to it.</Empty>}
          {deliveries.map((delivery) => (
            <Attempts key={delivery.id} delivery={delivery} body={body} url={urlOf(delivery.endpoint_id, endpoints)} />
          ))}
          <h3>Body, byte for byte</h3>
          <Json of={body} label="The body of the event" />
        </div>
      )}
    </Loaded>
  )
}

const urlOf = (id: string, endpoints: readonly EndpointAnswer[]) => endpoints.find((one) => one.id === id)?.url ?? id

type Delivered = Awaited<ReturnType<typeof showEvent>>['deliveries'][number]
const showEvent = (id: string) => call('events', 'show', id)

export const Attempts = ({ delivery, body, url }: { delivery: Delivered; body: string | undefined; url: string }) => (
  <div class="attempts">
    <h3>
      <Status of={delivery.status} /> <code>{url}</code>
      {delivery.next_attempt_at && (
        <span class="note">
          {' '}
          next attempt <When at={delivery.next_attempt_at} />
        </span>
      )}
    </h3>
    {delivery.attempts.map(({ number, at, status_code, duration_ms, error, response, fault }) => (
      <details key={number}>
        <summary>
          <span class="mono">{number}.</span> <When at={at} /> {status_code === null ? error : `HTTP ${status_code}`}{' '}
          <span class="quiet">{duration_ms} ms</span>
          {fault && <span class="status warn">fault: {fault}</span>}
        </summary>
        <h4>Request</h4>
        <Json
          label={`Request of attempt ${number}`}
          of={[
            `POST ${url}`,
            'Content-Type: application/json',
            `X-Service-Event-Id: ${delivery.event_id}`,
            `X-Service-Delivery-Attempt: ${number}`,
            'X-Service-Signature: sha256=… (of these bytes, with the secret of the endpoint)',
            ...(body === undefined ? [] : ['', pretty(body)]),
          ].join('\n')}
        />
        <h4>Answer</h4>
        <Json label={`Answer to attempt ${number}`} of={answerOf(status_code, error, response)} />
      </details>
    ))}
  </div>
)

function answerOf(code: number | null, error: string | null, response: string | null): string {
  const head = code === null ? `none: ${error}` : `HTTP ${code}${error ? ` (${error})` : ''}`
  return response ? `${head}\n\n${response}` : head
}
