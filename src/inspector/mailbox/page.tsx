import { useState } from 'preact/hooks'
import { type Answer, call } from '../api/client.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import { behave, makeOrdinary } from './actions.ts'
import { OneMailbox } from './one.tsx'

export function MailboxesPage() {
  const { id } = place.value
  return id === undefined ? <Mailboxes /> : <OneMailbox address={id} key={id} />
}

function Mailboxes() {
  const world = useRead('world', () => call('world', 'show'), { when: () => false })
  const set = useRead('mailboxes', () => call('mailboxes', 'list'), { everyMs: 2_000 })
  const [address, setAddress] = useState('')
  return (
    <>
      <header class="page-head">
        <h1>Mailboxes</h1>
      </header>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          if (address.trim()) go({ page: 'mailboxes', id: address.trim() })
        }}
      >
        <label class="field wide">
          <span>Any mailbox</span>
          <input
            type="search"
            value={address}
            placeholder="ada@example.com"
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button main">
          Open
        </button>
      </form>
      <Panel title="Set otherwise">
        <Loaded read={set}>
          {({ mailboxes }) => (
            <Table
              label="Mailboxes that are set otherwise"
              rows={mailboxes}
              keyOf={({ address }) => address}
              empty="All mailboxes are ordinary ones."
              columns={[
                { title: 'Address', cell: ({ address }) => <MailboxLink address={address} /> },
                { title: 'Bounces', cell: ({ bounces }) => bounces ?? '–' },
                ...HABITS.map(({ title, field }) => ({
                  title,
                  cell: (mailbox: Mailbox) => (
                    <ActionButton
                      act={behave(mailbox.address, field, !mailbox[field])}
                      pressed={mailbox[field] ?? false}
                      class="small"
                      label={`${title}: ${mailbox.address}`}
                    >
                      {mailbox[field] === null ? 'by chance' : mailbox[field] ? 'yes' : 'no'}
                    </ActionButton>
                  ),
                })),
                {
                  title: 'Ordinary',
                  cell: ({ address }) => (
                    <ActionButton
                      act={makeOrdinary(address)}
                      kind="quiet"
                      class="small"
                      label={`Make ${address} ordinary`}
                    >
                      Reset
                    </ActionButton>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="Magic recipients">
        <Loaded read={world}>
          {({ magic_recipients }) => (
            <Table
              label="Magic recipients"
              rows={magic_recipients.filter(({ address }) => address.includes('@'))}
              keyOf={({ address }) => address}
              columns={[
                { title: 'Address', cell: ({ address }) => <MailboxLink address={address} /> },
                { title: 'What it does', cell: ({ does }) => does },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

type Mailbox = Answer<'mailboxes', 'show'>

const HABITS = [
  { title: 'Opens', field: 'opens' },
  { title: 'Clicks', field: 'clicks' },
  { title: 'Complains', field: 'complains' },
] as const

const MailboxLink = ({ address }: { address: string }) => (
  <a class="mono" href={hrefOf({ page: 'mailboxes', id: address })}>
    {address}
  </a>
)
