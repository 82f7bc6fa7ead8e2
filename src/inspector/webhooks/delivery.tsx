import { useState } from 'preact/hooks'
import type { EndpointAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { quoted, withWords } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Attempts, ReplayButton } from '../attempts/events.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Facts, Json, Loaded, MessageLink, Panel, pretty, Status } from '../ui/parts.tsx'

/** A delivery with its attempts, and the request that they sent. */
export function OneDelivery({ id, endpoints }: { id: string; endpoints: readonly EndpointAnswer[] }) {
  const read = useRead(`delivery ${id}`, () => call('events', 'delivery', id), { everyMs: 1_000 })
  const { selected: _, ...query } = place.value.query
  return (
    <Panel title="Delivery" class="detail" aside={<a href={hrefOf({ page: 'webhooks', query })}>✕ Close</a>}>
      <Loaded read={read}>
        {({ delivery, request }) => (
          <>
            <Facts
              of={[
                ['Event', <a href={hrefOf({ page: 'events', id: delivery.event_id })}>{delivery.event}</a>],
                ['Status', <Status of={delivery.status} />],
                [
                  'Record',
                  delivery.subject.startsWith('msg_') ? <MessageLink id={delivery.subject} /> : delivery.subject,
                ],
                ['Delivery', <code>{delivery.id}</code>],
              ]}
            />
            <p class="choices">
              <ReplayButton event={delivery.event_id} endpoint={delivery.endpoint_id} />
            </p>
            {request === null ? (
              <p class="empty">The endpoint was removed.</p>
            ) : (
              <>
                <Attempts
                  delivery={delivery}
                  body={request.body}
                  url={request.url}
                  headers={{}}
                  signature={request.headers['X-Service-Signature'] ?? 'none'}
                />
                <h3>Headers</h3>
                <Json
                  label="Headers"
                  of={Object.entries(request.headers)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join('\n')}
                />
                <SignatureCheck delivery={delivery} endpoints={endpoints} />
                <h3>Body, byte for byte</h3>
                <Json of={request.body} label="Body" wraps />
                <EditAndSend event={delivery.event_id} endpoint={delivery.endpoint_id} body={request.body} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

type Delivery = Answer<'events', 'delivery'>['delivery']

/** Says to which attempts the shown signature belongs. */
function SignatureCheck({ delivery, endpoints }: { delivery: Delivery; endpoints: readonly EndpointAnswer[] }) {
  const changed = endpoints.find(({ id }) => id === delivery.endpoint_id)?.updated_at
  const last = delivery.attempts.at(-1)
  if (last?.fault)
    return <p class="note">The last attempt met the fault {last.fault}, which may have changed its signature.</p>
  if (last && changed && last.at < changed)
    return (
      <p class="note">The endpoint was changed after the last attempt, so that one may have had another signature.</p>
    )
  return <p class="note">✓ The signature matches this body and the current secret of the endpoint.</p>
}

/** Sends a changed copy of the event, signed as always. */
function EditAndSend({ event, endpoint, body }: { event: string; endpoint: string; body: string }) {
  const [text, setText] = useState<string>()
  if (text === undefined)
    return (
      <button type="button" class="button small" onClick={() => setText(pretty(body))}>
        Edit and send
      </button>
    )
  return (
    <div class="field wide">
      <textarea
        aria-label="Edited body"
        rows={12}
        spellcheck={false}
        class="mono"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="choices">
        <ActionButton
          act={sendEdited(event, endpoint, text)}
          kind="main"
          class="small"
          describe={({ status_code, error }: Answer<'events', 'sendEdited'>) =>
            error ? `Not delivered: ${error}.` : `Delivered: HTTP ${status_code}.`
          }
        >
          Sign and send
        </ActionButton>
        <button type="button" class="button small" onClick={() => setText(undefined)}>
          Cancel
        </button>
      </p>
    </div>
  )
}

const sendEdited = (event: string, endpoint_id: string, body: string) =>
  withWords(
    `events send-edited ${event} --endpoint-id ${endpoint_id} --body ${quoted(body)}`,
    'events',
    'sendEdited',
    event,
    { endpoint_id, body },
  )
