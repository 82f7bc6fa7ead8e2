import { type Answer, call } from '../api/client.ts'
import { place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { DeviceLink, MagicRecipients } from '../ui/devices.tsx'
import { OpenRecord } from '../ui/open-record.tsx'
import { Loaded, PageHead, Panel, Table } from '../ui/parts.tsx'
import { behave, makeOrdinary } from './actions.ts'
import { OneMailbox } from './one.tsx'

export function MailboxesPage() {
  const { id } = place.value
  return id === undefined ? <Mailboxes /> : <OneMailbox address={id} key={id} />
}

function Mailboxes() {
  const set = useRead('mailboxes', () => call('mailboxes', 'list'), { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Mailboxes" />
      <OpenRecord page="mailboxes" label="Any mailbox" placeholder="ada@example.com" />
      <Panel title="Set otherwise">
        <Loaded read={set}>
          {({ mailboxes }) => (
            <Table
              label="Mailboxes that are set otherwise"
              rows={mailboxes}
              keyOf={({ address }) => address}
              empty="All mailboxes are ordinary ones."
              columns={[
                { title: 'Address', cell: ({ address }) => <DeviceLink page="mailboxes" address={address} /> },
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
      <MagicRecipients page="mailboxes" title="Address" />
    </>
  )
}

type Mailbox = Answer<'mailboxes', 'show'>

const HABITS = [
  { title: 'Opens', field: 'opens' },
  { title: 'Clicks', field: 'clicks' },
  { title: 'Complains', field: 'complains' },
] as const
