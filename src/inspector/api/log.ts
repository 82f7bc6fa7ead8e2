import { type Answer, call } from './client.ts'
import { usePaged } from './paged.ts'

export type ListedEvent = Answer<'events', 'list'>['events'][number]

const PAGE = 100

/** The event log, newest first, with filters of `events list`. */
export const useLog = (filter: Readonly<Record<string, string>>) =>
  usePaged<ListedEvent>(
    `events ${JSON.stringify(filter)}`,
    async ({ cursor: before }) => {
      const page = { order: 'newest', limit: PAGE, ...(before ? { before } : { count: 'true' }) }
      const { events, has_more, total } = await call('events', 'list', { ...filter, ...page } as never)
      return { rows: events, total, next: has_more ? String(events.at(-1)!.seq) : undefined }
    },
    ({ seq }) => seq,
    { isLog: true },
  )
