import { z } from 'zod'
import { brokenField } from './broken-fields.ts'
import { instantFault } from './instant-text.ts'
import { parseDuration } from './milliseconds.ts'

/** The start of reading a log. */
export type Since =
  | { kind: 'position'; seq: number }
  | { kind: 'now' }
  | { kind: 'ago'; ms: number }
  | { kind: 'instant'; at: number }
  | { kind: 'entry'; id: string }

const WRONG =
  'must be start, now, how long ago (2h), a time (2027-01-01T00:00Z), or the id or position of the previous entry'

export const Since = z
  .string()
  .max(100)
  .transform((text, { issues }): Since => {
    const since = sinceOf(text)
    if (since) return since
    issues.push({ code: 'custom', input: text, message: WRONG, params: { code: 'invalid_format' } })
    return z.NEVER
  })
  .describe(
    "Start of the list: start, an age such as 2h, a time on the world's clock, or the id or position to continue after.",
  )
  .meta({ example: '2h' })

function sinceOf(text: string): Since | undefined {
  if (text === 'start') return { kind: 'position', seq: 0 }
  if (text === 'now') return { kind: 'now' }
  if (/^\d{1,15}$/.test(text)) return { kind: 'position', seq: Number(text) }
  const ms = parseDuration(text)
  if (ms !== undefined) return { kind: 'ago', ms }
  if (instantFault(text) === undefined) return { kind: 'instant', at: Date.parse(text) }
  return /^(evt|req)_[\w-]+$/.test(text) ? { kind: 'entry', id: text } : undefined
}

/** Refuses a position beyond the end, from which a reader would wait for entries that are already in the log. */
export function requireReached(since: Since | undefined, last: number) {
  if (since?.kind === 'position' && since.seq > last)
    throw brokenField('since', 'invalid_value', `must be at most ${last}, the newest position of this log`)
}
