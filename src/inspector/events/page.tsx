import { EVENT_NAMES } from '../../service/events/subscriptions.ts'
import { call } from '../api/client.ts'
import { useLog } from '../api/log.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { EventsOf, ReplayButton } from '../attempts/events.tsx'
import { Choose, Field } from '../ui/fields.tsx'
import { Facts, Id, Json, Loaded, MessageLink, PagedTable, PageHead, Panel, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'

export function EventsPage() {
  const { id } = place.value
  return id === undefined ? <Events /> : <OneEvent id={id} key={id} />
}

/** The event log with the filters of `events list`. */
function Events() {
  const { query } = place.value
  const log = useRead('log range', () => call('events', 'list', { limit: 1 }))
  const list = useLog(query)
  const set = (name: string, value: string) => go({ query: { ...query, [name]: value } }, { replace: true })
  return (
    <>
      <PageHead title="Events">
        <span class="count" role="status">
          {log.value &&
            `${count(log.value.last_seq - log.value.dropped)} in the log${log.value.dropped > 0 ? `, ${count(log.value.dropped)} older ones dropped` : ''}`}
        </span>
      </PageHead>
      <div class="filters">
        <Choose label="Event" value={query.event} options={EVENT_NAMES} set={(value) => set('event', value)} />
        <Choose label="Not" value={query.not} options={EVENT_NAMES} set={(value) => set('not', value)} />
        <Field label="Subject" class="field wide">
          <input
            type="search"
            value={query.subject ?? ''}
            placeholder="id of a message, contact or other record"
            onChange={({ currentTarget }) => set('subject', currentTarget.value.trim())}
          />
        </Field>
      </div>
      <Panel title="Event log, newest first">
        <PagedTable
          list={list}
          noun="events"
          label="Events"
          keyOf={({ seq }) => seq}
          empty="No events match."
          columns={[
            { title: '#', cell: ({ seq }) => seq, class: 'number' },
            { title: 'Time', cell: ({ timestamp }) => <When at={timestamp} full />, class: 'nowrap' },
            {
              title: 'Event',
              cell: ({ id, event }) => (
                <a data-row href={hrefOf({ page: 'events', id })}>
                  {event}
                </a>
              ),
            },
            { title: 'Record', cell: ({ data }) => <RecordOf data={data as Data} /> },
            { title: 'Data', cell: ({ data }) => <bdi class="cut-2">{shortData(data as Data)}</bdi>, class: 'says' },
          ]}
        />
      </Panel>
    </>
  )
}

type Data = Readonly<Record<string, unknown>>

const PAGES: readonly (readonly [field: string, page: string])[] = [
  ['contact_id', 'contacts'],
  ['agent_id', 'agents'],
  ['campaign_id', 'campaigns'],
]

export function RecordOf({ data }: { data: Data }) {
  if (data.message_id) return <MessageLink id={String(data.message_id)} />
  const found = PAGES.find(([field]) => data[field])
  if (!found) return <>–</>
  const id = String(data[found[0]])
  return (
    <a href={hrefOf({ page: found[1], id })}>
      <Id of={id} />
    </a>
  )
}

const shortData = (data: Data): string =>
  Object.entries(data)
    .filter(
      ([name, value]) => !name.endsWith('_id') && !name.endsWith('_at') && value !== null && typeof value !== 'object',
    )
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function OneEvent({ id }: { id: string }) {
  const read = useRead(`one event ${id}`, () => call('events', 'show', id), { everyMs: 1_000 })
  return (
    <>
      <PageHead
        title={read.value ? `${read.value.event} #${read.value.seq}` : `Event ${id}`}
        back={{ href: hrefOf({ page: 'events' }), title: 'Events' }}
      >
        <span class="space" />
        <ReplayButton event={id} />
      </PageHead>
      <Loaded read={read}>
        {(event) => (
          <>
            <Panel title="Event">
              <Facts
                of={[
                  ['Id', <code>{event.id}</code>],
                  ['Time', <When at={event.timestamp} full />],
                  ['Record', <RecordOf data={event.data} />],
                ]}
              />
              <Json of={event.data} label="Data of the event" wraps />
            </Panel>
            <Panel title="Webhook attempts">
              <EventsOf events={[event]} deliveries={event.deliveries} includes={() => true} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}
