import { shellWord } from '../../words/shell.ts'
import { type PageAction, withWords } from '../api/page-action.ts'

/** Sends a whole body, whatever it holds. */
export const send = (body: Record<string, unknown>): PageAction =>
  withWords(`api POST /v1/messages --data ${shellWord(JSON.stringify(body))}`, 'messages', 'send', body as never)
