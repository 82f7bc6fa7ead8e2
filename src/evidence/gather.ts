import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'

/** The most that an answer may list. */
const LOG_PAGE = 1_000
const PAGE = 200

/** Everything that a sandbox can tell of its world, as its answers have it. */
export interface Gathered {
  namespace: string
  clock: AnswerTo<'clock.show'>
  requests: AnswerTo<'logs.list'>['requests']
  events: AnswerTo<'events.list'>['events']
  deliveries: AnswerTo<'events.deliveries'>['data']
  transactions: AnswerTo<'billing.transactions'>['data']
  explanations: AnswerTo<'messages.explain'>[]
}

/** Asks for everything. Requests come first, so that those made here are not among them. */
export async function gather(client: Client): Promise<Gathered> {
  const requests = await wholeLog(
    (after) => client.logs.list({ after, limit: LOG_PAGE, full: 'true' }),
    ({ requests }) => requests,
  )
  const { namespace } = await client.world.show()
  const explanations: Gathered['explanations'] = []
  const messages = await allPages(
    (cursor) => client.messages.list({ limit: PAGE, cursor }),
    ({ messages }) => messages,
  )
  for (const { id } of messages) explanations.push(await client.messages.explain(id))
  return {
    namespace,
    clock: await client.clock.show(),
    requests,
    events: await wholeLog(
      (after) => client.events.list({ after, limit: LOG_PAGE }),
      ({ events }) => events,
    ),
    deliveries: await allPages(
      (cursor) => client.events.deliveries({ limit: PAGE, cursor }),
      ({ data }) => data,
    ),
    transactions: await allPages(
      (cursor) => client.billing.transactions({ limit: PAGE, cursor }),
      ({ data }) => data,
    ),
    explanations,
  }
}

/** Everything of a log, from its first position on. */
async function wholeLog<Page extends { has_more: boolean }, Item extends { seq: number }>(
  read: (after: number) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    const page = await read(found.at(-1)?.seq ?? 0)
    found.push(...itemsOf(page))
    if (!page.has_more || itemsOf(page).length === 0) return found
  }
}

async function allPages<Page extends { has_more: boolean; next_cursor: string | null }, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  let token: string | undefined
  do {
    const page = await read(token)
    found.push(...itemsOf(page))
    token = page.next_cursor ?? undefined
  } while (token !== undefined)
  return found
}
