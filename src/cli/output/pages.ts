import { listIn } from './rows.ts'

type Payload = object | undefined

/** The most that a page may hold. */
const MAX_PAGE_SIZE = 200

/** All pages of a list as one, so that it looks like a short list. */
export async function allPages(page: (payload: Payload) => Promise<unknown>, payload: Payload): Promise<unknown> {
  const rows: unknown[] = []
  let cursor: unknown
  for (;;) {
    const answer = await page({ limit: MAX_PAGE_SIZE, ...payload, ...(cursor === undefined ? {} : { cursor }) })
    const list = listIn(answer)
    if (!list) return answer
    rows.push(...list.rows)
    const { next_cursor, has_more } = list.rest
    // The same cursor again would never end.
    if (has_more !== true || typeof next_cursor !== 'string' || next_cursor === cursor)
      return { ...(answer as object), [list.name]: rows, next_cursor: null, has_more: false }
    cursor = next_cursor
  }
}
