import { call } from '../api/client.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Field } from '../ui/fields.tsx'
import { Facts, Json, Loaded, PageHead, Panel, pretty, Status, Table, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { clear } from './actions.ts'

export function RequestsPage() {
  const { id } = place.value
  return id === undefined ? <Requests /> : <OneRequest id={id} key={id} />
}

const CLASSES = ['2xx', '4xx', '5xx'] as const

function Requests() {
  const { query } = place.value
  const status = CLASSES.find((one) => one === query.status)
  const read = useRead(
    `requests ${status} ${query.path}`,
    () =>
      call('logs', 'list', {
        limit: 200,
        ...(status ? { status } : {}),
        ...(query.path ? { path: query.path } : {}),
      } as never),
    { everyMs: 1_000 },
  )
  const set = (name: string, value: string) => go({ query: { ...query, [name]: value } }, { replace: true })
  return (
    <>
      <PageHead title="Requests">
        <span class="space" />
        <ActionButton act={clear()} says={({ cleared }: { cleared: number }) => `${count(cleared)} requests are gone.`}>
          Empty the log
        </ActionButton>
      </PageHead>
      <div class="filters">
        <Field label="Answer">
          <select value={status ?? ''} onChange={({ currentTarget }) => set('status', currentTarget.value)}>
            <option value="">any</option>
            {CLASSES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Path begins with" class="field wide">
          <input
            value={query.path ?? ''}
            placeholder="/v1/messages"
            onChange={({ currentTarget }) => set('path', currentTarget.value.trim())}
          />
        </Field>
      </div>
      <Panel title="Newest first">
        <Loaded read={read}>
          {({ requests }) => (
            <Table
              label="Requests"
              rows={[...requests].reverse()}
              keyOf={({ seq }) => seq}
              empty="Nobody has asked anything yet. What this page reads is not recorded."
              columns={[
                { title: 'Time', cell: ({ at }) => <When at={at} />, class: 'nowrap' },
                { title: 'Method', cell: ({ method }) => method },
                {
                  title: 'Path',
                  cell: ({ request_id, path }) => (
                    <a class="mono" href={hrefOf({ page: 'requests', id: request_id })}>
                      {path}
                    </a>
                  ),
                },
                { title: 'Answer', cell: ({ status }) => <Answered status={status} />, class: 'nowrap' },
                {
                  title: 'Error',
                  cell: ({ error, fault }) => [error, fault && `fault ${fault}`].filter(Boolean).join(', ') || '–',
                },
                { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms`, class: 'number' },
              ]}
            />
          )}
        </Loaded>
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
  return (
    <>
      <nav aria-label="Way back">
        <a href={hrefOf({ page: 'requests' })}>← Requests</a>
      </nav>
      <Loaded read={read}>
        {({ method, path, at, duration_ms, status, operation, request_id, request, response, fault, replayed }) => (
          <>
            <header class="page-head">
              <h1 class="mono">
                {method} {path}
              </h1>
              <Answered status={status} />
            </header>
            <Panel title="Facts">
              <Facts
                of={[
                  ['At', <When at={at} full />],
                  ['Took', `${duration_ms} ms`],
                  ['Operation', operation],
                  ['Request id', <code>{request_id}</code>],
                  ['Fault', fault],
                  ['Replayed', replayed ? 'yes, by its idempotency key' : 'no'],
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
      Body, {count(bytes)} bytes{truncated ? ', of which the beginning is kept' : ''}
    </h3>
    {body === null ? (
      <p class="empty">None.</p>
    ) : (
      <Json of={pretty(body)} label={`Body of the ${title.toLowerCase()}`} />
    )}
  </Panel>
)
