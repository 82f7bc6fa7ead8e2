import { jsonOr } from '../../words/json.ts'
import { type Answer, call } from '../api/client.ts'
import { quoted } from '../api/page-action.ts'
import { usePaged } from '../api/paged.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Choose, Field } from '../ui/fields.tsx'
import { Facts, Json, Loaded, MessageLink, PagedTable, PageHead, Panel, pretty, Status, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { clear } from './actions.ts'

export function RequestsPage() {
  const { id } = place.value
  return id === undefined ? <Requests /> : <OneRequest id={id} key={id} />
}

const CLASSES = ['2xx', '4xx', '5xx'] as const
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
const PAGE = 100

type Logged = Answer<'logs', 'list'>['requests'][number]

function Requests() {
  const { query } = place.value
  const { path = '/v1/', ...rest } = query
  const list = usePaged<Logged>(
    `requests ${JSON.stringify(query)}`,
    async (before) => {
      const { requests, total, has_more } = await call('logs', 'list', {
        ...rest,
        ...(path === 'all' ? {} : { path }),
        limit: PAGE,
        ...(before ? { before } : {}),
      } as never)
      const rows = [...requests].reverse()
      return { rows, total, next: has_more ? String(rows.at(-1)!.seq) : undefined }
    },
    ({ seq }) => seq,
    { everyMs: 1_000 },
  )
  const set = (name: string, value: string) => go({ query: { ...query, [name]: value } }, { replace: true })
  return (
    <>
      <PageHead title="Requests">
        <span class="space" />
        <ActionButton
          act={clear()}
          confirm={{
            title: 'Clear the request log?',
            lost: `All recorded requests of this namespace will be removed${list.total === undefined ? '' : `, at least ${count(list.total)}`}. Messages and events stay.`,
          }}
          describe={({ cleared }: { cleared: number }) => `Removed ${count(cleared)} requests.`}
        >
          Clear log
        </ActionButton>
      </PageHead>
      <div class="filters">
        <Choose label="Method" value={query.method} options={METHODS} set={(value) => set('method', value)} />
        <Choose label="Status" value={query.status} options={CLASSES} set={(value) => set('status', value)} />
        <Field label="Path starts with" class="field wide">
          <input
            type="search"
            value={path === 'all' ? '' : path}
            placeholder="/v1/messages"
            onChange={({ currentTarget }) => set('path', currentTarget.value.trim() || 'all')}
          />
        </Field>
        <button
          type="button"
          class="filter-chip"
          aria-pressed={path === '/v1/'}
          onClick={() => set('path', path === '/v1/' ? 'all' : '')}
        >
          Service API only
        </button>
      </div>
      <Panel title="Newest first">
        <PagedTable
          list={list}
          noun="requests"
          label="Requests"
          keyOf={({ seq }) => seq}
          empty="No requests match. Reads of this page are not recorded."
          columns={[
            { title: 'Time', cell: ({ at }) => <When at={at} />, class: 'nowrap' },
            { title: 'Method', cell: ({ method }) => method },
            {
              title: 'Path',
              cell: ({ request_id, path }) => (
                <a class="mono" data-row href={hrefOf({ page: 'requests', id: request_id })}>
                  {path}
                </a>
              ),
              class: 'anywhere',
            },
            { title: 'Status', cell: ({ status }) => <Answered status={status} />, class: 'nowrap' },
            {
              title: 'Error',
              cell: ({ error, fault }) => [error, fault && `fault ${fault}`].filter(Boolean).join(', ') || '–',
            },
            { title: 'Duration', cell: ({ duration_ms }) => `${duration_ms} ms`, class: 'number' },
          ]}
        />
      </Panel>
    </>
  )
}

const Answered = ({ status }: { status: number | null }) => (
  <Status
    of={status === null ? 'none' : String(status)}
    tone={status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}
  />
)

function OneRequest({ id }: { id: string }) {
  const read = useRead(`request ${id}`, () => call('logs', 'show', id), { when: () => false })
  const one = read.value
  return (
    <>
      <PageHead
        title={one ? `${one.method} ${one.path}` : `Request ${id}`}
        back={{ href: hrefOf({ page: 'requests' }), title: 'Requests' }}
      >
        {one && <Answered status={one.status} />}
        <span class="space" />
        {one && <CopyAsCurl of={one} />}
      </PageHead>
      <Loaded read={read}>
        {({ at, duration_ms, operation, request_id, request, response, fault, replayed }) => (
          <>
            <Panel title="Facts">
              <Facts
                of={[
                  ['Time', <When at={at} full />],
                  ['Duration', `${duration_ms} ms`],
                  ['Operation', operation],
                  ['Request id', <code>{request_id}</code>],
                  ['Message', <MadeMessage body={response.body} />],
                  ['Fault', fault],
                  ['Replayed', replayed ? 'yes, the idempotency key is known' : 'no'],
                ]}
              />
            </Panel>
            <div class="columns even">
              <Part title="Request" of={request} />
              <Part title="Answer" of={response} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

/** The message that a send made. */
function MadeMessage({ body }: { body: string | null }) {
  const { message_id } = jsonOr(body ?? '', {}) as { message_id?: string }
  return message_id ? <MessageLink id={message_id} /> : <>–</>
}

/** Copies the request as a command; secrets are not recorded, so the key is that of this namespace. */
function CopyAsCurl({ of: { method, path, request } }: { of: Answer<'logs', 'show'> }) {
  const type = request.headers['content-type']
  const command = [
    `curl -X ${method} ${quoted(location.origin + path)}`,
    `-H "Authorization: Bearer sk_sandbox_${place.value.namespace}"`,
    ...(type ? [`-H ${quoted(`Content-Type: ${type}`)}`] : []),
    ...(request.body ? [`--data-raw ${quoted(request.body)}`] : []),
  ].join(' ')
  return (
    <button
      type="button"
      class="button small"
      title={command}
      onClick={() => void navigator.clipboard?.writeText(command)}
    >
      Copy as curl
    </button>
  )
}

interface Side {
  headers: Readonly<Record<string, string>>
  body: string | null
  bytes: number
  truncated: boolean
}

const Part = ({ title, of: { headers, body, bytes, truncated } }: { title: string; of: Side }) => (
  <Panel title={title}>
    <Json
      label={`Headers of the ${title.toLowerCase()}`}
      of={Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    />
    <h3>
      Body, {count(bytes)} bytes{truncated ? ', cut to the beginning' : ''}
    </h3>
    {body === null ? (
      <p class="empty">No body.</p>
    ) : (
      <Json of={pretty(body)} label={`Body of the ${title.toLowerCase()}`} wraps />
    )}
  </Panel>
)
