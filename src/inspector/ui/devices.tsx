import { useState } from 'preact/hooks'
import { withCommas } from '../../words/number-text.ts'
import { call } from '../api/client.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { go } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { Search } from './fields.tsx'
import { Panel, Status } from './parts.tsx'
import { PagedTable, ReadPanel } from './table.tsx'

/** What the pages of phones and of mailboxes call their addresses. */
const KINDS = {
  handsets: { kind: 'phone', title: 'Phone', placeholder: '+491713920050' },
  mailboxes: { kind: 'mailbox', title: 'Address', placeholder: 'ada@example.com' },
} as const

type Page = keyof typeof KINDS

const PAGE = 50

/** Who received something, and a field that opens any other address. */
export function Recipients({ page }: { page: Page }) {
  const { kind, title, placeholder } = KINDS[page]
  const [text, setText] = useState('')
  const list = usePaged(
    `recipients ${kind} ${text}`,
    pagesOf('recipients', PAGE, (page) => call('inbox', 'recipients', { kind, ...page, ...(text ? { text } : {}) })),
    ({ address }) => address,
  )
  return (
    <Panel title="Recipients">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('search')?.toString().trim()
          if (typed) go({ page, id: typed })
        }}
      >
        <Search label={`Find a ${kind}, or enter another one`} value={text} placeholder={placeholder} set={setText} />
        <button type="submit" class="button">
          Open
        </button>
      </form>
      <PagedTable
        list={list}
        noun="recipients"
        empty={
          text ? `No ${kind} with “${text}” received a message. Press Open to see it.` : 'No messages were sent yet.'
        }
        columns={[
          { title, cell: ({ address }) => address, to: ({ address }) => ({ page, id: address }) },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Newest message', cell: ({ text }) => <bdi class="cut-2">{text}</bdi>, class: 'says' },
          { title: 'Sent', when: ({ last_at }) => last_at },
          { title: 'Messages', number: ({ messages }) => withCommas(messages) },
        ]}
      />
    </Panel>
  )
}

/** The magic phones, or the magic mailboxes. */
export function MagicRecipients({ page }: { page: Page }) {
  const world = useCall(['world', 'show'], { when: () => false })
  return (
    <ReadPanel
      title="Magic recipients"
      read={world}
      rows={({ magic_recipients }) =>
        magic_recipients.filter(({ address }) => address.includes('@') === (page === 'mailboxes'))
      }
      keyOf={({ address }) => address}
      columns={[
        { title: KINDS[page].title, cell: ({ address }) => address, to: ({ address }) => ({ page, id: address }) },
        { title: 'Effect', cell: ({ does }) => does, class: 'says' },
      ]}
    />
  )
}
