import { z } from 'zod'
import { wholeNumber } from './page.ts'

/** Fields with which callers read a log: a numbered list that drops its oldest records. */

export const Seq = z.int().min(0).describe('Position in the log; rises by at least one with every record.')

export const LogId = z.string().max(200).describe('Id of the log of the position (log_id). Invalid in another log.')

export const logQuery = (records: string) => ({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().describe(`Position after which the ${records} start.`),
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe(`Position before which the ${records} end.`),
  limit: wholeNumber(1, 1000).optional().describe('Page size, 1 to 1,000 (default: 50).'),
})

/** Fields of an answer about the whole log. */
export const logRange = (records: string) => ({
  first_seq: Seq.describe(`Position of the oldest of the ${records} kept.`),
  last_seq: Seq.describe(`Position of the newest of the ${records} of the whole log.`),
  dropped: z.int().min(0).describe(`Number of ${records} dropped so far, because the log has a limit.`),
  log_id: z.string().describe('Id of the log. Changes when the log is reset; positions of another log are invalid.'),
})
