import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { hrefOf } from '../api/place.ts'
import { Panel, Status } from '../ui/parts.tsx'
import { PagedTable } from '../ui/table.tsx'
import { channelName, summaryOf } from '../ui/text.ts'

const PAGE = 20

/** All messages to and from a contact, over every channel. */
export function Messages({ contactId }: { contactId: string }) {
  const list = usePaged(
    `messages of ${contactId}`,
    pagesOf('messages', PAGE, (page) => call('messages', 'search', { contact_id: contactId, ...page })),
    ({ id }) => id,
  )
  return (
    <Panel
      title="Messages, newest first"
      aside={<a href={hrefOf({ page: 'messages', query: { contact_id: contactId } })}>Show in inbox</a>}
    >
      <PagedTable list={list} noun="messages" empty="No messages yet." columns={COLUMNS} />
    </Panel>
  )
}

const COLUMNS = [
  { title: 'Time', when: ({ created_at }: MessageAnswer) => created_at },
  { title: 'Status', cell: ({ status }: MessageAnswer) => <Status of={status} /> },
  {
    title: 'Channel',
    cell: ({ direction, channel }: MessageAnswer) => `${direction === 'INBOUND' ? '← ' : ''}${channelName(channel)}`,
  },
  {
    title: 'Message',
    cell: ({ content }: MessageAnswer) => <bdi class="cut-2">{summaryOf(content)}</bdi>,
    to: ({ id }: MessageAnswer) => ({ page: 'messages', id }),
    class: 'says',
  },
  { title: 'Reason', cell: ({ failure_reason }: MessageAnswer) => failure_reason ?? '–' },
]
