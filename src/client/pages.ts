/** The most that an answer lists, of a list and of a log. */
const LIST_PAGE = 200
const LOG_PAGE = 1_000

/** Reads a list to its end. */
export async function allItems<Page extends { next_cursor: string | null }, Item>(
  read: (query: { limit: number; cursor: string | undefined }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read({ limit: LIST_PAGE, cursor })
    items.push(...itemsOf(page))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

/** Reads a log to its end, oldest entry first, from a position. */
export async function* logAfter<Page extends { has_more: boolean }, Entry extends { seq: number }>(
  position: number,
  read: (query: { limit: number; after: number }) => Promise<Page>,
  entriesOf: (page: Page) => readonly Entry[],
): AsyncGenerator<Entry> {
  for (let after = position; ; ) {
    const page = await read({ limit: LOG_PAGE, after })
    const entries = entriesOf(page)
    yield* entries
    if (!page.has_more || entries.length === 0) return
    after = entries.at(-1)!.seq
  }
}
