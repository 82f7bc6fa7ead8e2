import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Panel, Shown, Table } from '../ui/parts.tsx'
import { OneHandset } from './one.tsx'

export function HandsetsPage() {
  const { id } = place.value
  return id === undefined ? <Handsets /> : <OneHandset phone={id} key={id} />
}

/** Phones that somebody may want to look at: those that are other than ordinary, and those that magic has made so. */
function Handsets() {
  const world = useRead('world', () => call('world', 'show'), { when: () => false })
  const set = useRead('handsets', () => call('handsets', 'list'), { everyMs: 2_000 })
  return (
    <>
      <header class="page-head">
        <h1>Handsets</h1>
      </header>
      <OpenPhone />
      <Panel title="Set otherwise">
        <Shown read={set}>
          {({ handsets }) => (
            <Table
              label="Handsets that are set otherwise"
              rows={handsets}
              keyOf={({ phone }) => phone}
              empty="All phones are ordinary ones."
              columns={[
                { title: 'Phone', cell: ({ phone }) => <PhoneLink phone={phone} /> },
                { title: 'Carrier', cell: ({ carrier }) => carrier },
                { title: 'On', cell: ({ on }) => (on ? 'on' : 'off') },
                { title: 'RCS', cell: ({ rcs_capable }) => (rcs_capable ? 'yes' : 'no') },
                { title: 'Replies', cell: ({ replies }) => replies ?? '–' },
                { title: 'Waiting', cell: ({ waiting }) => waiting },
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
              rows={magic_recipients.filter(({ address }) => !address.includes('@'))}
              keyOf={({ address }) => address}
              columns={[
                { title: 'Phone', cell: ({ address }) => <PhoneLink phone={address} /> },
                { title: 'What it does', cell: ({ does }) => does },
              ]}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

const PhoneLink = ({ phone }: { phone: string }) => (
  <a class="mono" href={hrefOf({ page: 'handsets', id: phone })}>
    {phone}
  </a>
)

function OpenPhone() {
  const [phone, setPhone] = useState('')
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        if (phone.trim()) go({ page: 'handsets', id: phone.trim() })
      }}
    >
      <label class="field wide">
        <span>Any phone of the world</span>
        <input
          type="search"
          value={phone}
          placeholder="+491713920050"
          onInput={({ currentTarget }) => setPhone(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button main">
        Open
      </button>
    </form>
  )
}
