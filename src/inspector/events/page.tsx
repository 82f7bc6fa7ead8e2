import { EVENT_NAMES } from '../../service/events/subscriptions.ts'
import { quantity, withCommas } from '../../words/number-text.ts'
import { useLog } from '../api/log.ts'
import { place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { AttemptsOf, ReplayButton } from '../attempts/events.tsx'
import { type QueryFilter, QueryFilters } from '../ui/fields.tsx'
import { emptyText, Facts, Json, Loaded, PageHead, Panel, RecordLink, When } from '../ui/parts.tsx'
import { PagedTable } from '../ui/table.tsx'

/** The filters of `events list`. */
const FILTERS: readonly QueryFilter[] = [
  { name: 'event', label: 'Event', options: EVENT_NAMES },
  { name: 'not', label: 'Except', options: EVENT_NAMES, none: 'none' },
  { name: 'subject', label: 'Record', placeholder: 'Id of a message or other record' },
]

/** The event log. */
export function Events() {
  const log = useCall(['events', 'list', { limit: 1 }])
  const list = useLog(place.value.query)
  return (
    <>
      <PageHead title="Events">
        <span class="count" role="status">
          {log.value && quantity(log.value.last_seq - log.value.dropped, 'events')}
          {log.value && log.value.dropped > 0 ? `, ${withCommas(log.value.dropped)} older ones dropped` : ''}
        </span>
      </PageHead>
      <QueryFilters of={FILTERS} />
      <Panel title="Event log, newest first">
        <PagedTable
          list={list}
          noun="events"
          empty={emptyText('events', place.value.query)}
          columns={[
            { title: '#', number: ({ seq }) => seq },
            { title: 'Time', when: ({ timestamp }) => timestamp },
            { title: 'Event', cell: ({ event }) => event, to: ({ id }) => ({ page: 'events', id }) },
            { title: 'Record', cell: ({ data }) => <RecordOf data={data as Data} /> },
            { title: 'Data', cell: ({ data }) => <bdi class="cut-2">{shortData(data as Data)}</bdi>, class: 'says' },
          ]}
        />
      </Panel>
    </>
  )
}

type Data = Readonly<Record<string, unknown>>

function RecordOf({ data }: { data: Data }) {
  if (data.campaign_id && !data.message_id) return <RecordLink id={String(data.campaign_id)} page="campaigns" />
  return <RecordLink id={(data.message_id ?? data.contact_id ?? data.agent_id) as string | undefined} />
}

const shortData = (data: Data): string =>
  Object.entries(data)
    .filter(
      ([name, value]) => !name.endsWith('_id') && !name.endsWith('_at') && value !== null && typeof value !== 'object',
    )
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

export function OneEvent({ id }: { id: string }) {
  const read = useCall(['events', 'show', id], { everyMs: 1_000 })
  return (
    <>
      <PageHead
        title={read.value ? `${read.value.event} #${read.value.seq}` : `Event ${id}`}
        back={['events', 'Events']}
      >
        <span class="space" />
        {read.value && <ReplayButton event={id} />}
      </PageHead>
      <Loaded read={read}>
        {(event) => (
          <>
            <Panel title="Event">
              <Facts
                of={[
                  ['Id', <code>{event.id}</code>],
                  ['Time', <When at={event.timestamp} precise />],
                  ['Record', <RecordOf data={event.data} />],
                ]}
              />
              <Json of={event.data} label="Data of the event" wraps />
            </Panel>
            <Panel title="Webhook attempts">
              <AttemptsOf event={id} deliveries={event.deliveries} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}
