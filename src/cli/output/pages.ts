import { listIn } from './rows.ts'

type Payload = object | undefined

/** The limit of a page in the interface's lists. */
const MAX_PAGE_SIZE = 200

/** Reads all pages of a list into one answer. */
export async function allPages(page: (payload: Payload) => Promise<unknown>, payload: Payload): Promise<unknown> {
  const rows: unknown[] = []
  let cursor: unknown
  for (;;) {
    const answer = await page({ limit: MAX_PAGE_SIZE, ...payload, ...(cursor === undefined ? {} : { cursor }) })
    const list = listIn(answer)
    if (!list) return answer
    rows.push(...list.rows)
    const { next_cursor, has_more } = list.rest
    // A service that repeats a cursor would be asked without end.
    if (has_more !== true || typeof next_cursor !== 'string' || next_cursor === cursor)
      return { ...(answer as object), [list.name]: rows, next_cursor: null, has_more: false }
    cursor = next_cursor
  }
}
