import { useState } from 'preact/hooks'
import type { EndpointAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Attempts } from '../messages/events.tsx'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { TextField, TrimmedField } from '../ui/fields.tsx'
import { Loaded, PageHead, Panel, Table } from '../ui/parts.tsx'
import { create, remove, test } from './actions.ts'

export function WebhooksPage() {
  const endpoints = useRead('webhooks', () => call('webhooks', 'list', { limit: 200 }), { everyMs: 2_000 })
  const chosen = place.value.id
  return (
    <>
      <PageHead title="Webhooks" />
      <Panel title="Endpoints">
        <NewEndpoint />
        <Loaded read={endpoints}>{({ data }) => <Endpoints of={data} />}</Loaded>
      </Panel>
      <Deliveries endpointId={chosen} endpoints={endpoints.value?.data ?? []} key={chosen} />
    </>
  )
}

const Endpoints = ({ of: endpoints }: { of: readonly EndpointAnswer[] }) => (
  <Table
    label="Endpoints"
    rows={endpoints}
    keyOf={({ id }) => id}
    empty="No endpoint is registered."
    columns={[
      { title: 'URL', cell: ({ id, url }) => <a href={hrefOf({ page: 'webhooks', id })}>{url}</a> },
      { title: 'Events', cell: ({ events }) => events.join(', ') },
      { title: 'Description', cell: ({ description }) => <bdi>{description ?? '–'}</bdi> },
      { title: 'Id', cell: ({ id }) => <code>{id}</code> },
      {
        title: 'Try',
        cell: ({ id, url }) => (
          <ActionButton act={test(id)} class="small" label={`Send a test to ${url}`} says={toldOf}>
            Test
          </ActionButton>
        ),
      },
      {
        title: 'Remove',
        cell: ({ id, url }) => <RemoveButton act={remove(id)} label={`Remove ${url}`} />,
      },
    ]}
  />
)

const toldOf = ({ delivered, status_code, error, duration_ms }: Answer<'webhooks', 'test'>): string =>
  delivered
    ? `Delivered: HTTP ${status_code} after ${duration_ms} ms.`
    : `Not delivered: ${error ?? `HTTP ${status_code}`}.`

function NewEndpoint() {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState('*')
  const [secret, setSecret] = useState<string>()
  return (
    <div class="filters">
      <TrimmedField label="URL" value={url} placeholder="http://localhost:3000/hook" set={setUrl} />
      <TextField label="Events, separated by commas" wide value={events} set={setEvents} />
      <ActionButton
        act={create(url || '…', events)}
        kind="main"
        because={url ? undefined : 'Say where events go.'}
        says={() => 'Registered.'}
        then={(made: { secret: string }) => setSecret(made.secret)}
      >
        Register
      </ActionButton>
      {secret && (
        <p class="note">
          Its secret, shown this once: <code>{secret}</code>
        </p>
      )}
    </div>
  )
}

function Deliveries({
  endpointId,
  endpoints,
}: {
  endpointId: string | undefined
  endpoints: readonly EndpointAnswer[]
}) {
  const read = useRead(
    `deliveries ${endpointId}`,
    () => call('events', 'deliveries', { limit: 100, ...(endpointId ? { endpoint_id: endpointId } : {}) }),
    { everyMs: 1_000 },
  )
  const urlOf = (id: string) => endpoints.find((one) => one.id === id)?.url ?? id
  return (
    <Panel
      title={endpointId ? `Deliveries to ${urlOf(endpointId)}` : 'Deliveries, newest first'}
      aside={endpointId && <a href={hrefOf({ page: 'webhooks' })}>All</a>}
    >
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="empty">Nothing was delivered yet.</p>
          ) : (
            data.map((delivery) => (
              <div key={delivery.id} class="delivery">
                <h3>{delivery.event}</h3>
                <Attempts delivery={delivery} body={undefined} url={urlOf(delivery.endpoint_id)} />
              </div>
            ))
          )
        }
      </Loaded>
    </Panel>
  )
}
