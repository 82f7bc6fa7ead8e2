import { type List, listIn } from './rows.ts'

type Payload = Readonly<Record<string, unknown>>

/** The limit of a page in the interface's lists. */
const MAX_PAGE_SIZE = 200

/** The query fields of the next page; undefined after the last page. */
type Next = (list: List, query: Payload) => Payload | undefined

/** Lists are read on by a cursor, by the position of the last row in a log, or by how many were read. */
const NEXT: Readonly<Record<'cursor' | 'after' | 'offset', Next>> = {
  cursor: ({ rest: { next_cursor, has_more } }) =>
    has_more === true && typeof next_cursor === 'string' ? { cursor: next_cursor } : undefined,
  after({ rows, rest: { has_more } }, { order }) {
    const seq = rows.at(-1)?.seq
    if (has_more !== true || seq === undefined) return undefined
    return { [order === 'newest' ? 'before' : 'after']: seq }
  },
  offset: ({ rows, rest: { total } }, { offset = 0 }) => {
    const read = Number(offset) + rows.length
    return rows.length > 0 && read < Number(total) ? { offset: read } : undefined
  },
}
const WAYS = Object.keys(NEXT) as (keyof typeof NEXT)[]

/** Chooses the pagination by the query fields of a list; undefined if the list has no pages. */
export function pagedBy(fields: readonly { name: string }[]): keyof typeof NEXT | undefined {
  const names = fields.map(({ name }) => name)
  return names.includes('limit') ? WAYS.find((way) => names.includes(way)) : undefined
}

/** Reads all pages of a list into one answer. */
export async function allPages(
  way: keyof typeof NEXT,
  page: (payload: Payload) => Promise<unknown>,
  payload: object = {},
): Promise<unknown> {
  const rows: unknown[] = []
  let query: Payload = { limit: MAX_PAGE_SIZE, ...payload }
  for (;;) {
    const answer = await page(query)
    const list = listIn(answer)
    if (!list) return answer
    rows.push(...list.rows)
    const next = NEXT[way](list, query)
    // A service that repeats a cursor would cause an endless loop.
    if (!next || Object.entries(next).every(([name, value]) => query[name] === value))
      return { ...(answer as object), [list.name]: rows, ...ended(list) }
    query = { ...query, ...next }
  }
}

/** The paging fields as on the last page. */
const ended = ({ rest }: List) => ({
  ...('next_cursor' in rest ? { next_cursor: null } : {}),
  ...('has_more' in rest ? { has_more: false } : {}),
})
