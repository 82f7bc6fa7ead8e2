import { useState } from 'preact/hooks'
import { allItems } from '../../client/pages.ts'
import { EVENT_NAMES } from '../../service/events/subscriptions.ts'
import type { DeliveryAnswer, EndpointAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { requestOutcome } from '../api/outcome.ts'
import { cursorPagesOf, usePaged } from '../api/paged.ts'
import { place } from '../api/place.ts'
import { QUIET_MS, type Read, useRead } from '../api/read.ts'
import { problemOf, resultOf } from '../attempts/result.ts'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { QueryFilters } from '../ui/fields.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { emptyText, Id, PageHead, Panel, Status, SubjectLink } from '../ui/parts.tsx'
import { PagedTable, ReadPanel, ShownOf } from '../ui/table.tsx'
import { endpointName } from '../ui/text.ts'
import { remove, rotateSecret, test } from './actions.ts'
import { OneDelivery } from './delivery.tsx'

const STATUSES = ['waiting', 'pending', 'held', 'delivered', 'failed', 'cancelled'] as const

/** Endpoints that are shown at first: the health of each takes three reads. */
const SHOWN = 20

/** All endpoints, newest first, because no operation reads a single one. */
const allEndpoints = (): Promise<EndpointAnswer[]> =>
  allItems(
    (query) => call('webhooks', 'list', query),
    ({ data }) => data,
  )

export function WebhooksPage() {
  const endpoints = useRead('endpoints', allEndpoints, { when: () => false, everyMs: QUIET_MS })
  const [most, setMost] = useState(SHOWN)
  const { selected } = place.value.query
  const total = endpoints.value?.length ?? 0
  return (
    <>
      <PageHead title="Webhooks">
        <span class="space" />
        <NewEndpoint />
      </PageHead>
      <ReadPanel
        title="Endpoints"
        read={endpoints}
        rows={(all) => all.slice(0, most)}
        keyOf={({ id }) => id}
        empty="No endpoints yet. Add one to receive events."
        columns={[
          {
            title: 'URL',
            cell: ({ url }) => url,
            to: ({ id }) => ({ page: 'webhooks', query: { endpoint_id: id } }),
          },
          { title: 'Events', cell: ({ events }) => events.join(', ') },
          { title: 'Description', cell: ({ description }) => <bdi>{description ?? '–'}</bdi>, class: 'anywhere' },
          { title: 'Health', cell: ({ id }) => <Health endpoint={id} /> },
          { title: 'Id', cell: ({ id }) => <Id of={id} /> },
          { title: 'Actions', cell: (endpoint) => <EndpointActions of={endpoint} />, class: 'nowrap' },
        ]}
      >
        <ShownOf shown={Math.min(most, total)} total={total} noun="endpoints" more={() => setMost(most + SHOWN)} />
      </ReadPanel>
      <div class={selected ? 'with-detail' : ''}>
        <Deliveries endpoints={endpoints} />
        {selected && <OneDelivery id={selected} endpoints={endpoints.value ?? []} key={selected} />}
      </div>
    </>
  )
}

/** The numbers of undelivered and failed deliveries of an endpoint. */
function Health({ endpoint }: { endpoint: string }) {
  const countOf = (status: string) =>
    call('events', 'deliveries', { endpoint_id: endpoint, status, limit: 1 } as never).then(({ total }) => total)
  const read = useRead(
    `health ${endpoint}`,
    async () => {
      const [failed, waiting, pending] = await Promise.all([
        countOf('failed'),
        countOf('waiting'),
        call('events', 'deliveries', { endpoint_id: endpoint, status: 'pending', limit: 50 } as never),
      ])
      return { failed, open: pending.total + waiting, problem: problemOf(pending.data) }
    },
    { everyMs: 5_000, when: () => false },
  )
  if (!read.value) return <span class="none">…</span>
  const { failed, open, problem } = read.value
  if (failed + open === 0) return <Status of="no failures" tone="good" />
  return (
    <>
      {failed > 0 && <Status of={`${failed} failed`} tone="bad" />}{' '}
      {open > 0 && (
        <Status of={`${open} undelivered${problem ? ` (${problem})` : ''}`} tone={problem ? 'bad' : 'busy'} />
      )}
    </>
  )
}

function EndpointActions({ of: { id, url, events, description } }: { of: EndpointAnswer }) {
  const [secret, setSecret] = useState<string>()
  return (
    <span class="choices">
      <ActionButton act={test(id)} class="small" label={`Test ${url}`} describe={describeTest}>
        Test
      </ActionButton>
      <FormButton
        title={`Edit ${url}`}
        word="Edit"
        note="Pending attempts use the new URL. Pending deliveries of events that you remove here are cancelled."
        noun="webhooks"
        verb="update"
        fixed={{ id }}
        initial={{ url, events, description }}
        only={['url', 'events', 'description']}
        // Only its own button shows the new secret.
        without={['rotate_secret']}
        button="Save"
        describe={() => 'Saved.'}
      />
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
      {secret && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </span>
  )
}

const SecretDialog = ({ secret, close }: { secret: string; close: () => void }) => (
  <Dialog title="Signing secret" close={close}>
    <p>Copy the secret now. It is not shown again.</p>
    <code class="command-line">{secret}</code>
    <p class="choices end">
      <CopyButton text={secret} />
      <button type="button" class="button main" onClick={close}>
        Done
      </button>
    </p>
  </Dialog>
)

const describeTest = (made: Answer<'webhooks', 'test'>) => requestOutcome(made, ` after ${made.duration_ms} ms`)

function NewEndpoint() {
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <FormButton
        title="Add endpoint"
        noun="webhooks"
        verb="create"
        initial={{ events: ['*'] }}
        only={['url', 'events', 'description', 'secret']}
        kind="main"
        describe={() => 'Added.'}
        then={(made: { secret: string }) => setSecret(made.secret)}
      />
      {secret && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

const PAGE = 50

function Deliveries({ endpoints }: { endpoints: Read<readonly EndpointAnswer[]> }) {
  const { selected, ...query } = place.value.query
  const list = usePaged(
    `deliveries ${JSON.stringify(query)}`,
    cursorPagesOf((cursor) => call('events', 'deliveries', { ...query, limit: PAGE, ...cursor })),
    ({ id }) => id,
    { everyMs: 1_000, isLog: true },
  )
  const urlOf = ({ url, endpoint_id }: DeliveryAnswer) => url ?? endpoint_id
  return (
    <Panel title="Deliveries">
      <QueryFilters
        query={query}
        of={[
          { name: 'status', label: 'Status', options: STATUSES },
          { name: 'event', label: 'Event', options: EVENT_NAMES },
          {
            name: 'endpoint_id',
            label: 'Endpoint',
            options: (endpoints.value ?? []).map(({ id, url }) => [id, endpointName(url)] as const),
          },
          { name: 'subject', label: 'Record', placeholder: 'Id of a message or other record' },
        ]}
      />
      <PagedTable
        list={list}
        noun="deliveries"
        isCurrent={({ id }) => id === selected}
        empty={`${emptyText('deliveries', query)} Events are delivered to the endpoints that subscribe to them.`}
        columns={[
          {
            title: 'Event',
            cell: ({ event }) => event,
            to: ({ id }) => ({ page: 'webhooks', query: { ...query, selected: id } }),
            class: 'nowrap',
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          {
            title: 'Answer',
            cell: ({ attempts }) => attempts.slice(-1).map(resultOf)[0] ?? '–',
          },
          { title: 'Attempts', number: ({ attempts }) => attempts.length },
          { title: 'Record', cell: ({ subject }) => <SubjectLink of={subject} />, class: 'cut' },
          {
            title: 'Endpoint',
            cell: (row) => <bdi title={urlOf(row)}>{endpointName(urlOf(row))}</bdi>,
            class: 'cut',
          },
          ...(selected
            ? []
            : [
                { title: 'Next attempt', when: ({ next_attempt_at }: DeliveryAnswer) => next_attempt_at },
                { title: 'Created', when: ({ created_at }: DeliveryAnswer) => created_at },
              ]),
        ]}
      />
      {list.rows.some(({ status }) => status === 'waiting') && (
        <p class="note">Waiting: events of one record are delivered in order, so these wait for an earlier one.</p>
      )}
    </Panel>
  )
}
