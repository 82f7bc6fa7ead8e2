import { CONTACT_STATUSES } from '../../words/statuses.ts'
import { type Answer, call } from '../api/client.ts'
import { perform } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { OpenRecord } from '../ui/open-record.tsx'
import { Facts, Id, Loaded, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { confirmConsent, grant, revokeConsent, setStatus } from './actions.ts'

type Contact = Answer<'contacts', 'get'>
type LoggedEvent = Answer<'events', 'list'>['events'][number]

export function ContactsPage() {
  const { id } = place.value
  return (
    <>
      <PageHead title="Consent" />
      <OpenRecord page="contacts" label="Contact, by id or external_id" placeholder="c_… or magic-50" initial={id} />
      {id === undefined ? <LastChanges /> : <OneContact id={id} key={id} />}
    </>
  )
}

/** Recently changed contacts. */
function LastChanges() {
  const read = useRead('consent events', () => call('events', 'list', { event: 'consent.*,contact.*', limit: 1000 }))
  return (
    <Panel title="What has changed of late">
      <Loaded read={read}>{({ events }) => <Changes of={[...events].reverse().slice(0, 200)} />}</Loaded>
    </Panel>
  )
}

const Changes = ({ of: events }: { of: readonly LoggedEvent[] }) => (
  <Table
    label="Changes of contacts and consent"
    rows={events}
    keyOf={({ seq }) => seq}
    empty="Nothing has changed yet: every contact is as the world file has it."
    columns={[
      { title: 'Time', cell: ({ timestamp }) => <When at={timestamp} full />, class: 'nowrap' },
      { title: 'Event', cell: ({ event }) => event },
      {
        title: 'Contact',
        cell: ({ data }) => {
          const id = (data as { contact_id?: string }).contact_id
          return id ? (
            <a href={hrefOf({ page: 'contacts', id })}>
              <Id of={id} />
            </a>
          ) : (
            '–'
          )
        },
      },
      { title: 'What', cell: ({ data }) => whatOf(data as unknown as Record<string, unknown>) },
    ]}
  />
)

const whatOf = ({
  channel_type: channel,
  message_type: type,
  previous_status: from,
  status: to,
}: Record<string, unknown>): string =>
  channel === undefined ? '' : `${channel} ${type}: ${from ? `${from} → ` : ''}${to}`

function OneContact({ id }: { id: string }) {
  const contact = useRead(`contact ${id}`, () => call('contacts', 'get', id), { everyMs: 2_000 })
  return (
    <Loaded read={contact}>
      {(one) => (
        <>
          <Details of={one} />
          <Consent of={one} />
          <History of={one.id} />
        </>
      )}
    </Loaded>
  )
}

const Details = ({ of: one }: { of: Contact }) => (
  <Panel
    title="Contact"
    aside={
      <Field label="Status" class="switch">
        <Select
          value={one.status}
          options={CONTACT_STATUSES}
          choose={(status) => void perform(setStatus(one.id, status))}
        />
      </Field>
    }
  >
    <Facts
      of={[
        ['Id', <code>{one.id}</code>],
        ['external_id', one.external_id],
        ['Phone', one.phone && <a href={hrefOf({ page: 'handsets', id: one.phone })}>{one.phone}</a>],
        ['Email', one.email && <a href={hrefOf({ page: 'mailboxes', id: one.email })}>{one.email}</a>],
        ['Name', [one.first_name, one.last_name].filter(Boolean).join(' ') || null],
        ['Tags', one.tags.join(', ') || null],
        ['Messages', <a href={hrefOf({ page: 'messages', query: { contact_id: one.id } })}>of this contact</a>],
      ]}
    />
  </Panel>
)

const Consent = ({ of: { id, consent_records, phone, email } }: { of: Contact }) => (
  <Panel title="Consent">
    <Table
      label="Consent records"
      rows={consent_records}
      keyOf={({ id }) => id}
      empty="There is no consent."
      columns={[
        { title: 'Channel', cell: ({ channel_type }) => channel_type },
        { title: 'For', cell: ({ message_type }) => message_type },
        { title: 'Status', cell: ({ status }) => <Status of={status} /> },
        {
          title: 'Double opt-in',
          cell: ({ doi_status, doi_channel }) => (doi_status ? `${doi_status} by ${doi_channel}` : '–'),
        },
        { title: 'Source', cell: ({ source }) => <bdi>{source}</bdi> },
        { title: 'Granted', cell: ({ granted_at }) => <When at={granted_at} full />, class: 'nowrap' },
        { title: 'Revoked', cell: ({ revoked_at }) => <When at={revoked_at} full />, class: 'nowrap' },
        {
          title: 'Change',
          cell: ({ id: record, channel_type, message_type, status }) =>
            status === 'GRANTED' ? (
              <ActionButton
                act={revokeConsent(id, record)}
                kind="danger"
                class="small"
                label={`Revoke ${channel_type} ${message_type}`}
              >
                Revoke
              </ActionButton>
            ) : status === 'PENDING' ? (
              <ActionButton act={confirmConsent(id, record)} class="small">
                Confirm
              </ActionButton>
            ) : (
              <ActionButton act={grant(id, channel_type, message_type)} class="small">
                Grant
              </ActionButton>
            ),
        },
      ]}
    />
    <p class="choices">
      {phone && <ActionButton act={grant(id, 'RCS', 'MESSAGE')}>Grant RCS MESSAGE</ActionButton>}
      {email && <ActionButton act={grant(id, 'EMAIL', 'NEWSLETTER')}>Grant EMAIL NEWSLETTER</ActionButton>}
    </p>
  </Panel>
)

function History({ of: id }: { of: string }) {
  const read = useRead(`history ${id}`, async () => {
    const { events } = await call('events', 'list', { event: 'consent.*,contact.*', limit: 1000 })
    return events.filter(({ data }) => (data as { contact_id?: string }).contact_id === id)
  })
  return (
    <Panel title="History">
      <Loaded read={read}>{(events) => <Changes of={[...events].reverse()} />}</Loaded>
    </Panel>
  )
}
