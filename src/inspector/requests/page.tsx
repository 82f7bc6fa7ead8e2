import { jsonOr } from '../../words/json.ts'
import { withCommas } from '../../words/number-text.ts'
import { isControl } from '../../words/operation.ts'
import { shellWord } from '../../words/shell.ts'
import { type Answer, call } from '../api/client.ts'
import { keyVariable } from '../api/namespace.ts'
import { usePaged } from '../api/paged.ts'
import { go, place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { token } from '../api/token.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { type QueryFilter, QueryFilters } from '../ui/fields.tsx'
import { emptyText, Facts, Json, Loaded, PageHead, Panel, pretty, RecordLink, Status, When } from '../ui/parts.tsx'
import { PagedTable } from '../ui/table.tsx'
import { headerLines } from '../ui/text.ts'
import { clear } from './actions.ts'
import { REFUSALS } from './refused.tsx'

const FILTERS: readonly QueryFilter[] = [
  { name: 'method', label: 'Method', options: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] },
  { name: 'status', label: 'Status', options: ['2xx', '4xx', '5xx', REFUSALS] },
  { name: 'path', label: 'Path starts with', placeholder: '/v1/messages' },
  { name: 'to', label: 'Recipient', placeholder: '+49… or address' },
]
const PAGE = 100

type Logged = Answer<'logs', 'list'>['requests'][number]

export function Requests() {
  const { query } = place.value
  const { api, ...filters } = query
  const isWhole = api === 'all'
  const list = usePaged<Logged>(
    `requests ${JSON.stringify(query)}`,
    async ({ cursor: before }) => {
      const { requests, total, has_more } = await call('logs', 'list', {
        ...(isWhole ? {} : { path: '/v1/' }),
        ...filters,
        limit: PAGE,
        ...(before ? { before } : {}),
      } as never)
      const rows = [...requests].reverse()
      return { rows, total, next: has_more ? String(rows.at(-1)!.seq) : undefined }
    },
    ({ seq }) => seq,
    { everyMs: 1_000, isLog: true },
  )
  return (
    <>
      <PageHead title="Requests">
        <span class="space" />
        <ActionButton
          act={clear()}
          confirm={{
            title: 'Clear the request log?',
            lost: `All recorded requests of this namespace${list.total === undefined ? '' : ` (${withCommas(list.total)} or more)`} will be removed. Messages and events stay.`,
          }}
          describe={({ cleared }: { cleared: number }) => `Removed ${withCommas(cleared)} requests.`}
        >
          Clear log
        </ActionButton>
      </PageHead>
      <QueryFilters of={FILTERS}>
        <button
          type="button"
          class="filter-chip"
          aria-pressed={isWhole}
          onClick={() => go({ query: { ...filters, api: isWhole ? '' : 'all' } })}
        >
          Include requests to /_sandbox
        </button>
      </QueryFilters>
      <Panel title="Request log, newest first">
        <PagedTable
          list={list}
          noun="requests"
          empty={`${emptyText('requests', filters)} Reads of this page are not recorded.`}
          columns={[
            { title: 'Time', cell: ({ at }) => <When at={at} precise /> },
            { title: 'Method', cell: ({ method }) => method },
            { title: 'Path', cell: ({ path }) => path, to: ({ request_id }) => ({ page: 'requests', id: request_id }) },
            { title: 'Status', cell: ({ status }) => <Answered status={status} />, class: 'nowrap' },
            { title: 'Recipient', cell: ({ to }) => <RecordLink id={to} /> },
            {
              title: 'Error',
              cell: ({ error, fault }) => (
                <>
                  {error ?? (fault ? '' : '–')} {fault && <RecordLink id={fault} page="network" />}
                </>
              ),
            },
            { title: 'Duration', number: ({ duration_ms }) => `${duration_ms.toFixed(1)} ms` },
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

export function OneRequest({ id }: { id: string }) {
  const read = useCall(['logs', 'show', id], { when: () => false })
  const one = read.value
  return (
    <>
      <PageHead title={one ? `${one.method} ${one.path}` : `Request ${id}`} back={['requests', 'Requests']}>
        {one && <Answered status={one.status} />}
        <span class="space" />
        {one && <CopyButton text={curlOf(one)} title="Copy as curl" />}
      </PageHead>
      <Loaded read={read}>
        {({ at, duration_ms, operation, request_id, request, response, fault, replayed }) => (
          <>
            <Panel title="Facts">
              <Facts
                of={[
                  ['Time', <When at={at} precise />],
                  ['Duration', `${duration_ms} ms`],
                  ['Operation', operation],
                  ['Request id', <code>{request_id}</code>],
                  [
                    'Message',
                    <RecordLink id={(jsonOr(response.body ?? '', {}) as { message_id?: string }).message_id} />,
                  ],
                  ['Fault', fault && <RecordLink id={fault} page="network" />],
                  ['Replayed', replayed ? 'yes, the idempotency key is known' : 'no'],
                ]}
              />
            </Panel>
            <div class="columns">
              <Part title="Request" of={request} />
              <Part title="Answer" of={response} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

/** The request as a command; secrets are not recorded, so the key is that of the shown namespace, and the token a variable. */
function curlOf({ method, path, request }: Answer<'logs', 'show'>): string {
  const type = request.headers['content-type']
  return [
    `curl -X ${method} ${shellWord(location.origin + path)}`,
    `-H "Authorization: Bearer ${keyVariable()}"`,
    ...(token.value && isControl({ path }) ? ['-H "X-Sandbox-Token: $SANDBOX_CONTROL_TOKEN"'] : []),
    ...(type ? [`-H ${shellWord(`Content-Type: ${type}`)}`] : []),
    ...(request.body ? [`--data-raw ${shellWord(request.body)}`] : []),
  ].join(' ')
}

const Part = ({
  title,
  of: { headers, body, bytes, truncated },
}: {
  title: string
  of: Answer<'logs', 'show'>['request']
}) => (
  <Panel title={title}>
    <Json label={`Headers of the ${title.toLowerCase()}`} of={headerLines(headers)} />
    <h3>
      Body, {withCommas(bytes)} bytes{truncated ? ', cut to the beginning' : ''}
    </h3>
    {body === null ? (
      <p class="empty">No body.</p>
    ) : (
      <Json of={pretty(body)} label={`Body of the ${title.toLowerCase()}`} wraps />
    )}
  </Panel>
)
