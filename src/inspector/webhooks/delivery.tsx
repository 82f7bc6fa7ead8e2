import { useEffect, useRef } from 'preact/hooks'
import { quantity } from '../../words/number-text.ts'
import { shellWord } from '../../words/shell.ts'
import type { EndpointAnswer } from '../api/answers.ts'
import type { Answer } from '../api/client.ts'
import { useDraft } from '../api/draft.ts'
import { requestOutcome } from '../api/outcome.ts'
import { withWords } from '../api/page-action.ts'
import { hrefOf, listQuery } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { Attempts, ExactBody, ReplayButton, type ShownAttempt } from '../attempts/events.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Facts, Json, Loaded, Panel, pretty, Status, SubjectLink } from '../ui/parts.tsx'
import { headerLines } from '../ui/text.ts'

/** A delivery with its attempts, and the request that they sent. */
export function OneDelivery({ id, endpoints }: { id: string; endpoints: readonly EndpointAnswer[] }) {
  const read = useCall(['events', 'delivery', id], { everyMs: 1_000 })
  const box = useRef<HTMLElement>(null)
  // Where it is above the list, not beside it, a click on a row far down would seem to do nothing.
  useEffect(
    () => box.current!.querySelector('header')!.scrollIntoView({ block: 'nearest' }),
    [read.value === undefined],
  )
  return (
    <Panel
      title="Delivery"
      class="detail"
      box={box}
      aside={<a href={hrefOf({ page: 'webhooks', query: listQuery() })}>✕ Close</a>}
    >
      <Loaded read={read}>
        {(shown) => (
          <Details {...shown} changedAt={changedAt(endpoints.find(({ id }) => id === shown.delivery.endpoint_id))} />
        )}
      </Loaded>
    </Panel>
  )
}

const changedAt = (endpoint: EndpointAnswer | undefined) =>
  endpoint && endpoint.updated_at !== endpoint.created_at ? endpoint.updated_at : undefined

type ShownDelivery = Answer<'events', 'delivery'>

const Details = ({ delivery, request, changedAt }: ShownDelivery & { changedAt: string | undefined }) => (
  <>
    <Facts
      of={[
        ['Event', <a href={hrefOf({ page: 'events', id: delivery.event_id })}>{delivery.event}</a>],
        ['Status', <Status of={delivery.status} />],
        ['Record', <SubjectLink of={delivery.subject} />],
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
          signatureOf={(attempt) =>
            doubtOf(attempt, changedAt) === undefined
              ? (request.headers['X-Service-Signature'] ?? 'none')
              : 'sha256=… (not kept)'
          }
        />
        <h3>Headers</h3>
        <Json label="Headers" of={headerLines(request.headers)} />
        <SignatureCheck attempts={delivery.attempts} changedAt={changedAt} />
        <ExactBody of={request.body} label="Body" />
        <EditAndSend event={delivery.event_id} endpoint={delivery.endpoint_id} body={request.body} />
      </>
    )}
  </>
)

/** Why an attempt may have had another signature than the current one, as the sandbox keeps only the current secret. */
function doubtOf({ at, fault }: ShownAttempt, changedAt: string | undefined): string | undefined {
  if (fault) return `met the fault ${fault}, which may have changed its signature`
  // On a frozen clock both may have the same time.
  if (changedAt !== undefined && at <= changedAt)
    return 'was made before the endpoint was changed, perhaps with an earlier secret'
  return undefined
}

/** Names the attempts that had the shown signature. */
const SignatureCheck = ({
  attempts,
  changedAt,
}: {
  attempts: readonly ShownAttempt[]
  changedAt: string | undefined
}) => {
  const doubts = attempts.map((attempt) => ({ number: attempt.number, doubt: doubtOf(attempt, changedAt) }))
  const signed = doubts.filter(({ doubt }) => doubt === undefined)
  return (
    <ul class="plain note">
      {attempts.length === 0 && <li>The first attempt will be signed with the current secret of the endpoint.</li>}
      {signed.length > 0 && (
        <li>
          ✓ {quantity(signed.length, 'attempts')} had this signature, made with the current secret of the endpoint:{' '}
          {signed.map(({ number }) => number).join(', ')}.
        </li>
      )}
      {doubts.map(
        ({ number, doubt }) =>
          doubt !== undefined && (
            <li key={number}>
              Attempt {number} {doubt}.
            </li>
          ),
      )}
    </ul>
  )
}

/** Sends a changed copy of the event, signed as always. */
function EditAndSend({ event, endpoint, body }: { event: string; endpoint: string; body: string }) {
  const [text, setText] = useDraft<string | undefined>(`edited ${event} ${endpoint}`, undefined)
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
          describe={(made: Answer<'events', 'sendEdited'>) => requestOutcome(made)}
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
    `events send-edited ${event} --endpoint-id ${endpoint_id} --body ${shellWord(body)}`,
    'events',
    'sendEdited',
    event,
    { endpoint_id, body },
  )
