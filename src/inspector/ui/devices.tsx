import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { go, hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Field } from './fields.tsx'
import { Loaded, PagedTable, Panel, Status, Table, When } from './parts.tsx'
import { count } from './text.ts'

type Page = 'handsets' | 'mailboxes'

export const DeviceLink = ({ page, address }: { page: Page; address: string }) => (
  <a class="mono" data-row href={hrefOf({ page, id: address })}>
    {address}
  </a>
)

const PAGE = 50

/** Who received something, and a field that opens any other address. */
export function Recipients({
  page,
  kind,
  placeholder,
}: {
  page: Page
  kind: 'phone' | 'mailbox'
  placeholder: string
}) {
  const [text, setText] = useState('')
  const list = usePaged(
    `recipients ${kind} ${text}`,
    pagesOf(PAGE, async (page) => {
      const { recipients, total } = await call('inbox', 'recipients', { kind, ...page, ...(text ? { text } : {}) })
      return { rows: recipients, total }
    }),
    ({ address }) => address,
  )
  return (
    <Panel title="Recipients">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) go({ page, id: text.trim() })
        }}
      >
        <Field label={`Find a ${kind}, or open any other one`} class="field wide">
          <input
            type="search"
            value={text}
            placeholder={placeholder}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
        <button type="submit" class="button">
          Open
        </button>
      </form>
      <PagedTable
        list={list}
        noun="recipients"
        label="Recipients"
        keyOf={({ address }) => address}
        empty={
          text ? `No ${kind} with “${text}” received a message. Open shows it anyway.` : 'No messages were sent yet.'
        }
        columns={[
          {
            title: kind === 'phone' ? 'Phone' : 'Address',
            cell: ({ address }) => <DeviceLink page={page} address={address} />,
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Newest message', cell: ({ text }) => <bdi class="cut-2">{text}</bdi>, class: 'says' },
          { title: 'Sent', cell: ({ last_at }) => <When at={last_at} full />, class: 'nowrap' },
          {
            title: 'Messages',
            cell: ({ address, messages }) => (
              <a
                href={hrefOf({ page: 'messages', query: { to: address } })}
                aria-label={`${messages} messages to ${address}`}
              >
                {count(messages)}
              </a>
            ),
            class: 'number',
          },
        ]}
      />
    </Panel>
  )
}

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
              { title: 'Effect', cell: ({ does }) => does },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
