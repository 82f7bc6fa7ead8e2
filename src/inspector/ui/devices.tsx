import { call } from '../api/client.ts'
import { hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Loaded, Panel, Table } from './parts.tsx'

type Page = 'handsets' | 'mailboxes'

export const DeviceLink = ({ page, address }: { page: Page; address: string }) => (
  <a class="mono" href={hrefOf({ page, id: address })}>
    {address}
  </a>
)

/** The magic phones, or the magic mailboxes. */
export function MagicRecipients({ page, title }: { page: Page; title: string }) {
  const world = useRead('world', () => call('world', 'show'), { when: () => false })
  return (
    <Panel title="Magic recipients">
      <Loaded read={world}>
        {({ magic_recipients }) => (
          <Table
            label="Magic recipients"
            rows={magic_recipients.filter(({ address }) => address.includes('@') === (page === 'mailboxes'))}
            keyOf={({ address }) => address}
            columns={[
              { title, cell: ({ address }) => <DeviceLink page={page} address={address} /> },
              { title: 'What it does', cell: ({ does }) => does },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
