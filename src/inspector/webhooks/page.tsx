import { useState } from 'preact/hooks'
import { EVENT_NAMES } from '../../service/events/subscriptions.ts'
import type { EndpointAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { cursorPagesOf, usePaged } from '../api/paged.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { ContractForm } from '../ui/contract-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choose, Field } from '../ui/fields.tsx'
import { Empty, Id, Loaded, MessageLink, PagedTable, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { remove, rotateSecret, test } from './actions.ts'
import { OneDelivery } from './delivery.tsx'

const STATUSES = ['waiting', 'pending', 'held', 'delivered', 'failed', 'cancelled'] as const

export function WebhooksPage() {
  const endpoints = useRead('webhooks', () => call('webhooks', 'list', { limit: 200 }), { everyMs: 2_000 })
  const { selected } = place.value.query
  const of = endpoints.value?.data ?? []
  return (
    <>
      <PageHead title="Webhooks" />
      <Panel title="Endpoints" aside={<NewEndpoint />}>
        <Loaded read={endpoints}>{({ data }) => <Endpoints of={data} />}</Loaded>
      </Panel>
      <div class={selected ? 'with-detail' : ''}>
        <Deliveries endpoints={of} />
        {selected && <OneDelivery id={selected} endpoints={of} key={selected} />}
      </div>
    </>
  )
}

const Endpoints = ({ of: endpoints }: { of: readonly EndpointAnswer[] }) => (
  <Table
    label="Endpoints"
    rows={endpoints}
    keyOf={({ id }) => id}
    empty="No endpoints yet. Add one to receive events."
    columns={[
      {
        title: 'URL',
        cell: ({ id, url }) => (
          <a data-row href={hrefOf({ page: 'webhooks', query: { endpoint_id: id } })}>
            {url}
          </a>
        ),
        class: 'anywhere',
      },
      { title: 'Events', cell: ({ events }) => events.join(', ') },
      { title: 'Description', cell: ({ description }) => <bdi>{description ?? '–'}</bdi> },
      { title: 'Health', cell: ({ id }) => <Health endpoint={id} /> },
      { title: 'Id', cell: ({ id }) => <Id of={id} /> },
      { title: 'Actions', cell: (endpoint) => <EndpointActions of={endpoint} />, class: 'nowrap' },
    ]}
  />
)

/** The numbers of open and failed deliveries of an endpoint. */
function Health({ endpoint }: { endpoint: string }) {
  const countOf = (status: string) =>
    call('events', 'deliveries', { endpoint_id: endpoint, status, limit: 1 } as never).then(({ total }) => total)
  const read = useRead(
    `health ${endpoint}`,
    async () => {
      const [failed, pending, waiting] = await Promise.all([countOf('failed'), countOf('pending'), countOf('waiting')])
      return { failed, open: pending + waiting }
    },
    { everyMs: 5_000, when: () => false },
  )
  if (!read.value) return <span class="none">…</span>
  const { failed, open } = read.value
  if (failed + open === 0) return <Status of="no failures" tone="good" />
  return (
    <>
      {failed > 0 && <Status of={`${failed} failed`} tone="bad" />}{' '}
      {open > 0 && <Status of={`${open} open`} tone="busy" />}
    </>
  )
}

function EndpointActions({ of: { id, url, events, description } }: { of: EndpointAnswer }) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <span class="choices">
      <ActionButton act={test(id)} class="small" label={`Test ${url}`} describe={describeTest}>
        Test
      </ActionButton>
      <button type="button" class="button small" aria-label={`Edit ${url}`} onClick={() => setOpen(true)}>
        Edit
      </button>
      <ActionButton
        act={rotateSecret(id)}
        class="small"
        label={`Rotate secret of ${url}`}
        confirm={{
          title: 'Rotate the secret?',
          verb: 'Rotate',
          lost: 'The old secret becomes invalid at once. Pending attempts will be signed with the new secret.',
        }}
        then={(answer: { secret?: string }) => setSecret(answer.secret)}
      >
        Rotate secret
      </ActionButton>
      <RemoveButton
        act={remove(id)}
        label={`Remove ${url}`}
        lost="The endpoint is removed, and its pending deliveries are cancelled. Its secret cannot be restored."
      />
      {isOpen && (
        <Dialog title={`Edit ${url}`} close={() => setOpen(false)}>
          <p class="note">
            Pending attempts use the new URL. Deliveries of events that no longer match are still made.
          </p>
          <ContractForm
            noun="webhooks"
            verb="update"
            fixed={{ id }}
            initial={{ url, events, description }}
            only={['url', 'events', 'description']}
            button="Save"
            describe={() => 'Saved.'}
            then={() => setOpen(false)}
          />
        </Dialog>
      )}
      {secret && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </span>
  )
}

const SecretDialog = ({ secret, close }: { secret: string; close: () => void }) => (
  <Dialog title="Signing secret" close={close}>
    <p>Copy the secret now. It is not shown again.</p>
    <code class="command-line">{secret}</code>
    <p class="choices end">
      <button type="button" class="button" onClick={() => void navigator.clipboard?.writeText(secret)}>
        Copy
      </button>
      <button type="button" class="button main" onClick={close}>
        Done
      </button>
    </p>
  </Dialog>
)

const describeTest = ({ delivered, status_code, error, duration_ms }: Answer<'webhooks', 'test'>): string =>
  delivered
    ? `Delivered: HTTP ${status_code} after ${duration_ms} ms.`
    : `Not delivered: ${error ?? `HTTP ${status_code}`}.`

function NewEndpoint() {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <button type="button" class="button main small" onClick={() => setOpen(true)}>
        Add endpoint
      </button>
      {isOpen && (
        <Dialog title="Add endpoint" close={() => setOpen(false)}>
          <ContractForm
            noun="webhooks"
            verb="create"
            initial={{ events: ['*'] }}
            only={['url', 'events', 'description', 'secret']}
            button="Add endpoint"
            describe={() => 'Added.'}
            then={(made: { secret: string }) => {
              setOpen(false)
              setSecret(made.secret)
            }}
          />
        </Dialog>
      )}
      {secret && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

const PAGE = 50

type Delivery = Answer<'events', 'deliveries'>['data'][number]

function Deliveries({ endpoints }: { endpoints: readonly EndpointAnswer[] }) {
  const { selected, ...query } = place.value.query
  const list = usePaged(
    `deliveries ${JSON.stringify(query)}`,
    cursorPagesOf((cursor) => call('events', 'deliveries', { ...query, limit: PAGE, ...cursor })),
    ({ id }) => id,
    { everyMs: 1_000 },
  )
  const set = (name: string, value: string) => go({ query: { ...query, [name]: value } }, { replace: true })
  const urlOf = (id: string) => endpoints.find((one) => one.id === id)?.url ?? id
  return (
    <Panel title="Deliveries">
      <div class="filters">
        <Choose label="Status" value={query.status} options={STATUSES} set={(value) => set('status', value)} />
        <Choose label="Event" value={query.event} options={EVENT_NAMES} set={(value) => set('event', value)} />
        <Choose
          label="Endpoint"
          value={query.endpoint_id}
          options={endpoints.map(({ id, url }) => [id, url] as const)}
          set={(value) => set('endpoint_id', value)}
        />
        <Field label="Message or other record" class="field wide">
          <input
            type="search"
            value={query.subject ?? ''}
            placeholder="msg_…"
            onChange={({ currentTarget }) => set('subject', currentTarget.value.trim())}
          />
        </Field>
      </div>
      <PagedTable
        list={list}
        noun="deliveries"
        label="Deliveries"
        keyOf={({ id }) => id}
        isCurrent={({ id }) => id === selected}
        empty="No deliveries match. Events are delivered to the endpoints that subscribe to them."
        columns={[
          {
            title: 'Event',
            cell: ({ id, event }) => (
              <a data-row href={hrefOf({ page: 'webhooks', query: { ...query, selected: id } })}>
                {event}
              </a>
            ),
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          {
            title: 'Answer',
            cell: ({ attempts }) => attempts.at(-1)?.status_code ?? (attempts.length > 0 ? 'none' : '–'),
          },
          { title: 'Attempts', cell: ({ attempts }) => attempts.length, class: 'number' },
          { title: 'Next attempt', cell: ({ next_attempt_at }) => <When at={next_attempt_at} full />, class: 'nowrap' },
          {
            title: 'Record',
            cell: ({ subject }) => (subject.startsWith('msg_') ? <MessageLink id={subject} /> : <Id of={subject} />),
            class: 'cut',
          },
          ...(selected
            ? []
            : [
                { title: 'Endpoint', cell: ({ endpoint_id }: Delivery) => urlOf(endpoint_id), class: 'cut' },
                {
                  title: 'Created',
                  cell: ({ created_at }: Delivery) => <When at={created_at} full />,
                  class: 'nowrap',
                },
              ]),
        ]}
      />
      {query.status === 'waiting' && (
        <Empty>Waiting: events of one record are delivered in order, so these wait for an earlier one.</Empty>
      )}
    </Panel>
  )
}
