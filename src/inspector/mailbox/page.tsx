import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Panel, Shown, Table } from '../ui/parts.tsx'
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
        <Shown read={set}>
          {({ mailboxes }) => (
            <Table
              label="Mailboxes that are set otherwise"
              rows={mailboxes}
              keyOf={({ address }) => address}
              empty="All mailboxes are ordinary ones."
              columns={[
                { title: 'Address', cell: ({ address }) => <MailboxLink address={address} /> },
                { title: 'Bounces', cell: ({ bounces }) => bounces ?? '–' },
                { title: 'Opens', cell: ({ opens }) => String(opens ?? '–') },
                { title: 'Clicks', cell: ({ clicks }) => String(clicks ?? '–') },
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Magic recipients">
        <Shown read={world}>
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
        </Shown>
      </Panel>
    </>
  )
}

const MailboxLink = ({ address }: { address: string }) => (
  <a class="mono" href={hrefOf({ page: 'mailboxes', id: address })}>
    {address}
  </a>
)
