import { CONSENT_TYPES, CONTACT_STATUSES } from '../../words/statuses.ts'
import { type Answer, call } from '../api/client.ts'
import { type ListedEvent, useLog } from '../api/log.ts'
import { tryPerform } from '../api/page-action.ts'
import { type PagedRead, pagesOf, usePaged } from '../api/paged.ts'
import { go, place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { RefusedSends } from '../requests/refused.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Field, Search, Select, setFilter } from '../ui/fields.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { emptyText, Facts, Id, Loaded, PageHead, Panel, RecordLink, Status } from '../ui/parts.tsx'
import { PagedTable, Table } from '../ui/table.tsx'
import { channelName } from '../ui/text.ts'
import { confirmConsent, grant, removeContact, revokeConsent, setStatus } from './actions.ts'
import { changeIn } from './change.ts'
import { Messages } from './messages.tsx'

type Contact = Answer<'contacts', 'get'>

const PAGE = 50

export function Contacts() {
  const { text = '' } = place.value.query
  const list = usePaged(
    `contacts ${text}`,
    pagesOf('contacts', PAGE, (page) => call('contacts', 'list', { ...page, ...(text ? { text } : {}) })),
    ({ id }) => id,
  )
  return (
    <>
      <PageHead title="Contacts">
        <span class="space" />
        <FormButton
          title="Add contact"
          noun="contacts"
          verb="create"
          only={FIELDS}
          kind="main"
          then={({ id }: { id: string }) => go({ page: 'contacts', id })}
        />
      </PageHead>
      <Panel title="Contacts, newest first">
        <div class="filters">
          <Search
            placeholder="Name, email, phone number or id"
            value={text}
            set={(text) => setFilter('text', text, true)}
          />
        </div>
        <PagedTable
          list={list}
          noun="contacts"
          empty={emptyText('contacts', place.value.query)}
          columns={[
            { title: 'Contact', cell: nameOf, to: ({ id }) => ({ page: 'contacts', id }) },
            { title: 'Status', cell: ({ status }) => <Status of={status} /> },
            { title: 'Phone', cell: ({ phone }) => <RecordLink id={phone} /> },
            { title: 'Email', cell: ({ email }) => <RecordLink id={email} />, class: 'anywhere' },
            { title: 'External id', cell: ({ external_id }) => external_id ?? '–', class: 'anywhere' },
            { title: 'Tags', cell: ({ tags }) => tags.join(', ') || '–', class: 'anywhere' },
          ]}
        />
      </Panel>
      <LastChanges />
    </>
  )
}

type ListedContact = Answer<'contacts', 'list'>['contacts'][number]

const nameOf = ({ first_name, last_name, external_id, email, phone, id }: ListedContact): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (external_id ?? email ?? phone ?? id)

const FIELDS = ['phone', 'email', 'external_id', 'first_name', 'last_name', 'tags'] as const

/** Recently changed contacts. */
const LastChanges = () => (
  <Panel title="Recent changes">
    <Changes list={useLog({ event: CHANGES })} />
  </Panel>
)

const CHANGES = 'consent.*,contact.*'

/** Changes of one contact: its own events and those of its consent records. */
const useHistory = ({ id, consent_records }: Contact) =>
  usePaged<ListedEvent>(
    `history ${id} ${consent_records.length}`,
    async () => {
      const subjects = [id, ...consent_records.map((record) => record.id)]
      const parts = await Promise.all(
        subjects.map((subject) =>
          call('events', 'list', { subject, event: CHANGES, order: 'newest', limit: 1000, count: 'true' } as never),
        ),
      )
      return {
        rows: parts.flatMap(({ events }) => events).sort((a, b) => b.seq - a.seq),
        total: parts.reduce((sum, { total = 0 }) => sum + total, 0),
        next: undefined,
      }
    },
    ({ seq }) => seq,
  )

interface Named {
  contact_id?: string
}

/** Changes of one contact, or with their contacts. */
const Changes = ({ list, of }: { list: PagedRead<ListedEvent>; of?: Contact }) => (
  <PagedTable
    list={list}
    noun="changes"
    label="Changes of contacts and consent"
    empty="No changes yet."
    columns={[
      { title: 'Time', when: ({ timestamp }) => timestamp },
      { title: 'Event', cell: ({ event }) => event, to: ({ id }) => ({ page: 'events', id }) },
      ...(of
        ? []
        : [{ title: 'Contact', cell: ({ data }: ListedEvent) => <RecordLink id={(data as Named).contact_id} /> }]),
      { title: 'Change', cell: (row) => changeIn(row, list.rows.slice(list.rows.indexOf(row) + 1)) },
    ]}
  />
)

export function OneContact({ id }: { id: string }) {
  const contact = useCall(['contacts', 'get', id], { everyMs: 2_000 })
  return (
    <>
      <PageHead title={contact.value ? nameOf(contact.value) : `Contact ${id}`} back={['contacts', 'Contacts']}>
        {contact.value && <Status of={contact.value.status} />}
        <span class="space" />
        {contact.value && <ContactActions of={contact.value} />}
      </PageHead>
      <Loaded read={contact}>
        {(one) => (
          <>
            <Details of={one} />
            <Consent of={one} />
            <Messages contactId={one.id} />
            {[one.phone, one.email].map((to) => to && <RefusedSends key={to} to={to} />)}
            <Panel title="History">
              <History of={one} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}

const ContactActions = ({ of: one }: { of: Contact }) => (
  <span class="choices">
    <FormButton
      title="Edit contact"
      word="Edit"
      noun="contacts"
      verb="update"
      fixed={{ id: one.id }}
      initial={one}
      only={[...FIELDS, 'status']}
      merged={['custom_fields']}
      button="Save"
      kind=""
      describe={() => 'Saved.'}
    />
    <ActionButton
      act={removeContact(one.id)}
      kind="danger"
      confirm={{
        title: 'Delete this contact?',
        lost: 'The contact and all its consent records will be deleted. Its messages stay.',
      }}
      then={() => go({ page: 'contacts' })}
    >
      Delete
    </ActionButton>
  </span>
)

const History = ({ of: one }: { of: Contact }) => <Changes list={useHistory(one)} of={one} />

const Details = ({ of: one }: { of: Contact }) => (
  <Panel
    title="Contact"
    aside={
      <Field label="Status" class="switch">
        <Select
          value={one.status}
          options={CONTACT_STATUSES}
          choose={(status) => void tryPerform(setStatus(one.id, status), () => `Status: ${status}.`)}
        />
      </Field>
    }
  >
    <Facts
      of={[
        ['Id', <code>{one.id}</code>],
        ['External id', one.external_id],
        ['Phone', <RecordLink id={one.phone} />],
        ['Email', <RecordLink id={one.email} />],
        ['Name', [one.first_name, one.last_name].filter(Boolean).join(' ') || null],
        ['Tags', one.tags.join(', ') || null],
        ['Custom fields', <CustomFields of={one.custom_fields} />],
      ]}
    />
  </Panel>
)

const CustomFields = ({ of }: { of: Contact['custom_fields'] }) =>
  Object.keys(of).length === 0 ? <Id of={null} /> : <code class="anywhere">{JSON.stringify(of)}</code>

const Consent = ({ of: { id, consent_records, phone, email } }: { of: Contact }) => (
  <Panel
    title="Consent"
    aside={
      // With status PENDING, it asks for double opt-in.
      <FormButton title="Record consent" noun="consent" verb="record" fixed={{ id }} describe={() => 'Recorded.'} />
    }
  >
    <Table
      label="Consent records"
      rows={consent_records}
      keyOf={({ id }) => id}
      empty="No consent records yet."
      columns={[
        { title: 'Channel', cell: ({ channel_type }) => channelName(channel_type) },
        { title: 'Message type', cell: ({ message_type }) => message_type },
        { title: 'Status', cell: ({ status }) => <Status of={status} /> },
        {
          title: 'Double opt-in',
          cell: ({ doi_status, doi_channel }) => (doi_status ? `${doi_status} by ${doi_channel}` : '–'),
        },
        {
          title: 'Source and proof',
          cell: ({ source, proof_text }) => (
            <>
              <bdi>{source}</bdi>
              {proof_text && <p class="note">{proof_text}</p>}
            </>
          ),
          class: 'says',
        },
        { title: 'Granted', when: ({ granted_at }) => granted_at },
        { title: 'Revoked', when: ({ revoked_at }) => revoked_at },
        {
          title: 'Action',
          cell: ({ id: record, channel_type, message_type, status }) =>
            status === 'GRANTED' ? (
              <ActionButton
                act={revokeConsent(id, record)}
                kind="danger"
                class="small"
                label={`Revoke ${channel_type} ${message_type}`}
                confirm={{
                  title: `Revoke ${channelName(channel_type)} ${message_type}?`,
                  lost: `${channelName(channel_type)} messages that need this consent will be refused until the contact consents again.`,
                }}
              >
                Revoke
              </ActionButton>
            ) : status === 'PENDING' ? (
              <ActionButton
                act={confirmConsent(id, record)}
                class="small"
                label={`Confirm ${channel_type} ${message_type}`}
              >
                Confirm
              </ActionButton>
            ) : (
              <ActionButton
                act={grant(id, channel_type, message_type)}
                class="small"
                label={`Grant ${channel_type} ${message_type}`}
              >
                Grant
              </ActionButton>
            ),
        },
      ]}
    />
    <p class="choices wrap">
      {(['RCS', 'EMAIL'] as const)
        .filter((channel) => (channel === 'RCS' ? phone : email))
        .flatMap((channel) => CONSENT_TYPES.map((type) => [channel, type] as const))
        // A record has its own buttons.
        .filter(
          ([channel, type]) =>
            !consent_records.some((one) => one.channel_type === channel && one.message_type === type),
        )
        .map(([channel, type]) => (
          <ActionButton key={`${channel} ${type}`} act={grant(id, channel, type)}>
            Grant {channelName(channel)} {type}
          </ActionButton>
        ))}
    </p>
  </Panel>
)
