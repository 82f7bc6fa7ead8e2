import { useState } from 'preact/hooks'
import { CONTACT_STATUSES } from '../../words/statuses.ts'
import { type Answer, call } from '../api/client.ts'
import { type ListedEvent, useLog } from '../api/log.ts'
import { tryPerform } from '../api/page-action.ts'
import { type PagedRead, pagesOf, usePaged } from '../api/paged.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { ContractForm } from '../ui/contract-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { Facts, Id, Loaded, PagedTable, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { confirmConsent, grant, removeContact, revokeConsent, setStatus } from './actions.ts'

type Contact = Answer<'contacts', 'get'>

export function ContactsPage() {
  const { id } = place.value
  return id === undefined ? <Contacts /> : <OneContact id={id} key={id} />
}

const PAGE = 50

function Contacts() {
  const { text = '' } = place.value.query
  const list = usePaged(
    `contacts ${text}`,
    pagesOf(PAGE, async (page) => {
      const { contacts, total } = await call('contacts', 'list', { ...page, ...(text ? { text } : {}) })
      return { rows: contacts, total }
    }),
    ({ id }) => id,
  )
  return (
    <>
      <PageHead title="Contacts">
        <span class="space" />
        <NewContact />
      </PageHead>
      <Panel title="Contacts, newest first">
        <div class="filters">
          <Field label="Search" class="field wide">
            <input
              type="search"
              value={text}
              placeholder="Name, email, phone, id or external_id"
              onInput={({ currentTarget }) => go({ query: { text: currentTarget.value } }, { replace: true })}
            />
          </Field>
        </div>
        <PagedTable
          list={list}
          noun="contacts"
          label="Contacts"
          keyOf={({ id }) => id}
          empty="No contacts match."
          columns={[
            {
              title: 'Contact',
              cell: (one) => (
                <a data-row href={hrefOf({ page: 'contacts', id: one.id })}>
                  <bdi>{nameOf(one)}</bdi>
                </a>
              ),
            },
            { title: 'Status', cell: ({ status }) => <Status of={status} /> },
            {
              title: 'Phone',
              cell: ({ phone }) => phone && <a href={hrefOf({ page: 'handsets', id: phone })}>{phone}</a>,
            },
            {
              title: 'Email',
              cell: ({ email }) => email && <a href={hrefOf({ page: 'mailboxes', id: email })}>{email}</a>,
              class: 'anywhere',
            },
            { title: 'external_id', cell: ({ external_id }) => external_id ?? '–', class: 'anywhere' },
            { title: 'Tags', cell: ({ tags }) => tags.join(', ') || '–' },
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

function NewContact() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button main" onClick={() => setOpen(true)}>
        Add contact
      </button>
      {isOpen && (
        <Dialog title="Add contact" close={() => setOpen(false)}>
          <ContractForm
            noun="contacts"
            verb="create"
            only={FIELDS}
            button="Add contact"
            then={({ id }: { id: string }) => {
              setOpen(false)
              go({ page: 'contacts', id })
            }}
          />
        </Dialog>
      )}
    </>
  )
}

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

const Changes = ({ list }: { list: PagedRead<ListedEvent> }) => (
  <PagedTable
    list={list}
    noun="changes"
    label="Changes of contacts and consent"
    keyOf={({ seq }) => seq}
    empty="No changes since the world file."
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
      { title: 'Change', cell: ({ data }) => whatOf(data as unknown as Record<string, unknown>) },
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
    <>
      <PageHead
        title={contact.value ? nameOf(contact.value) : `Contact ${id}`}
        back={{ href: hrefOf({ page: 'contacts' }), title: 'Contacts' }}
      >
        {contact.value && <Status of={contact.value.status} />}
        <span class="space" />
        {contact.value && <ContactActions of={contact.value} />}
      </PageHead>
      <Loaded read={contact}>
        {(one) => (
          <>
            <Details of={one} />
            <Consent of={one} />
            <Panel title="History">
              <History of={one} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}

function ContactActions({ of: one }: { of: Contact }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span class="choices">
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Edit
      </button>
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
      {isOpen && (
        <Dialog title="Edit contact" close={() => setOpen(false)}>
          <ContractForm
            noun="contacts"
            verb="update"
            fixed={{ id: one.id }}
            initial={one}
            only={[...FIELDS, 'status']}
            button="Save"
            describe={() => 'Saved.'}
            then={() => setOpen(false)}
          />
        </Dialog>
      )}
    </span>
  )
}

const History = ({ of: one }: { of: Contact }) => <Changes list={useHistory(one)} />

const Details = ({ of: one }: { of: Contact }) => (
  <Panel
    title="Contact"
    aside={
      <Field label="Status" class="switch">
        <Select
          value={one.status}
          options={CONTACT_STATUSES}
          choose={(status) => void tryPerform(setStatus(one.id, status))}
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
      empty="No consent records yet."
      columns={[
        { title: 'Channel', cell: ({ channel_type }) => channel_type },
        { title: 'Message type', cell: ({ message_type }) => message_type },
        { title: 'Status', cell: ({ status }) => <Status of={status} /> },
        {
          title: 'Double opt-in',
          cell: ({ doi_status, doi_channel }) => (doi_status ? `${doi_status} by ${doi_channel}` : '–'),
        },
        { title: 'Source', cell: ({ source }) => <bdi>{source}</bdi> },
        { title: 'Granted', cell: ({ granted_at }) => <When at={granted_at} full />, class: 'nowrap' },
        { title: 'Revoked', cell: ({ revoked_at }) => <When at={revoked_at} full />, class: 'nowrap' },
        {
          title: 'Action',
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
