import type { AnswerTo } from '../../../../client/answers.ts'
import type { Session } from '../../../session/session.ts'

export type LoggedPage = AnswerTo<'logs.list'>

export function tellRest(
  { output }: Session,
  { requests, has_more, dropped, first_seq }: LoggedPage,
  since: string | undefined,
) {
  if (requests.length === 0) {
    output.note((paint) => paint.dim('no requests'))
    const emptied = first_seq - 1 - dropped
    if (emptied > 0 && since === undefined)
      output.warn({ type: 'emptied', first_seq, emptied }, (paint) =>
        paint.dim(`${emptied} older requests are gone: a reset, a restore or "logs clear" has emptied the log`),
      )
  }
  if (has_more)
    output.note((paint) =>
      paint.dim(since === undefined ? 'older ones: --limit <number>' : `more: --since ${requests.at(-1)!.seq}`),
    )
  else if (dropped > 0 && since === undefined)
    output.warn({ type: 'dropped', first_seq, dropped }, (paint) =>
      paint.dim(`${dropped} older requests were dropped; the log keeps the newest`),
    )
}
