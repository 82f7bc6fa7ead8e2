import { z } from 'zod'
import { brokenField } from './broken-fields.ts'

export const wholeNumber = (low: number, high: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= low && n <= high, `must be between ${low} and ${high}`)
    .meta({ type: 'integer', minimum: low, maximum: high })

/** The parameters of every list. `cursor` is stable while records change; `offset` is simpler and drifts. */
export const PageQuery = {
  limit: wholeNumber(1, 200).optional().describe('Page size, 1 to 200 (default: 50).'),
  cursor: z.string().max(200).optional().describe('next_cursor of the previous page.'),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Number of items to skip, alternative to a cursor.'),
}

/** The parameters of a list that changes too much for a cursor. */
export const offsetQuery = (items: string) => ({
  limit: PageQuery.limit,
  offset: PageQuery.offset.describe(`Number of ${items} to skip.`),
})

export interface PageRequest {
  limit?: number | undefined
  cursor?: string | undefined
  offset?: number | undefined
}

export const PageFields = {
  next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  has_more: z.boolean().describe('Whether more items follow.'),
}

export interface Window {
  /** One more than the page size, to find out whether there are more rows. */
  limit: number
  /** Rows start after this sequence number; null for all. */
  beyond: number | null
  offset: number
}

/** SQL after a condition: the rows of a window, newest first. */
export const NEWEST_FIRST = 'AND seq < coalesce(:beyond, 9e15) ORDER BY seq DESC LIMIT :limit OFFSET :offset'

interface ListWindow extends Window {
  /** The list and its namespace; a cursor of another list or namespace is refused. */
  list: string
}

export const DEFAULT_LIMIT = 50

/** The rows of a list without cursors. */
export const offsetWindow = ({ limit = DEFAULT_LIMIT, offset = 0 }: PageRequest) => ({ limit, offset })

export function windowOf({ namespace }: { namespace: string }, name: string, query: PageRequest): ListWindow {
  if (query.cursor !== undefined && query.offset !== undefined)
    throw brokenField('offset', 'conflict', 'cannot be combined with cursor')
  const list = `${name} ${namespace}`
  return {
    list,
    limit: (query.limit ?? DEFAULT_LIMIT) + 1,
    beyond: query.cursor === undefined ? null : decodeCursor(list, query.cursor),
    offset: query.offset ?? 0,
  }
}

/** Removes the extra row and adds the cursor of the next page. */
export function pageOf<T extends { seq: number }>(rows: T[], window: ListWindow) {
  const items = rows.slice(0, window.limit - 1)
  const has_more = rows.length === window.limit
  const last = items.at(-1)
  return { items, next_cursor: has_more && last ? encodeCursor(window.list, last.seq) : null, has_more }
}

/** The full stop shows that nothing is cut off. */
const encodeCursor = (list: string, seq: number) => Buffer.from(`${list} ${seq}.`).toString('base64url')

function decodeCursor(list: string, cursor: string): number {
  const seq = Number(/ (\d{1,15})\.$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  // Encodes the result again, because Node decodes malformed base64 too.
  if (encodeCursor(list, seq) === cursor) return seq
  throw brokenField('cursor', 'invalid_value', 'is not one that this list returned: pass next_cursor unchanged')
}
