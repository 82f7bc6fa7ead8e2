import { useCall } from '../api/read.ts'
import { ResetButton, Switch } from '../ui/action-button.tsx'
import { MagicRecipients, Recipients } from '../ui/devices.tsx'
import { PageHead } from '../ui/parts.tsx'
import { ReadPanel } from '../ui/table.tsx'
import { behave, HABITS, type MailboxAnswer, resetMailbox } from './actions.ts'

export function Mailboxes() {
  const read = useCall(['mailboxes', 'list'], { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Mailboxes" />
      <Recipients page="mailboxes" />
      <ReadPanel
        title="Mailboxes with custom settings"
        read={read}
        rows={({ mailboxes }) => mailboxes}
        keyOf={({ address }) => address}
        empty="All mailboxes have the default settings."
        columns={[
          {
            title: 'Address',
            cell: ({ address }) => address,
            to: ({ address }) => ({ page: 'mailboxes', id: address }),
          },
          { title: 'Bounces', cell: ({ bounces }) => bounces ?? '–' },
          ...HABITS.map(({ title, field }) => ({
            title,
            cell: (mailbox: MailboxAnswer) => (
              <>
                <Switch
                  act={behave(mailbox.address, field, !mailbox[field])}
                  on={mailbox[field] ?? false}
                  label={title}
                />
                {mailbox[field] === null && <span class="note"> by chance</span>}
              </>
            ),
          })),
          { title: 'Defaults', cell: ({ address }) => <ResetButton act={resetMailbox(address)} name={address} /> },
        ]}
      />
      <MagicRecipients page="mailboxes" />
    </>
  )
}
