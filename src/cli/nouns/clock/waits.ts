import type { AnswerTo } from '../../../client/answers.ts'
import { sleep } from '../../../http/sleep.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

type Waiting = AnswerTo<'clock.show'>['waiting_for'][number]

const LOOK_EVERY_MS = 1_000

/** Reports each receiver that the clock waits for, once, with the remedy, until the returned function is called. */
export function tellWaits(session: Session): () => void {
  const ended = new AbortController()
  // This only reports; the answer of the clock decides the outcome of the command.
  look(session, ended.signal).catch(() => undefined)
  return () => ended.abort()
}

async function look(session: Session, signal: AbortSignal) {
  const reported = new Set<string>()
  for (;;) {
    await sleep(LOOK_EVERY_MS, signal)
    const { waiting_for } = await callOperation(session, 'clock.show', { isLookup: true, signal })
    for (const one of waiting_for.filter(({ endpoint_id }) => !reported.has(endpoint_id))) tell(session, one)
    for (const { endpoint_id } of waiting_for) reported.add(endpoint_id)
  }
}

function tell({ output }: Session, { endpoint_id, url, deliveries }: Waiting) {
  const many = deliveries === 1 ? 'a delivery' : `${deliveries} deliveries`
  const message = `${url} has not answered ${many}; the clock waits for its answer or its time limit.`
  const hint = `To stop waiting, delete the endpoint: sandbox webhooks delete ${endpoint_id}`
  output.warn({ type: 'waiting', endpoint_id, url, deliveries, message, hint }, (paint, shown) =>
    paint.dim(`… ${shown.message}\n  ${shown.hint}`),
  )
}
