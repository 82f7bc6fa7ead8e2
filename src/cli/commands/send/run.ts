import type { AnswerTo } from '../../../client/answers.ts'
import { call, isReplayed, resultOf } from '../../../client/call.ts'
import { operationOf } from '../../../client/operation-of.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { watchToEnd } from '../../session/watching.ts'
import { sendUntilAccepted } from '../../session/wizard.ts'
import { REPEATED } from '../../target/call-operation.ts'
import { sendBatch } from './batch/run.ts'
import { completeRequest } from './complete-request.ts'
import type { RequestFlags } from './options.ts'
import { requestOf } from './request.ts'
import { moneyOf } from './tell.ts'

export interface SendFlags extends RequestFlags {
  watch?: boolean
  settle: number
  interval: number
  batch?: string
  batchName?: string
  delimiter: string
  concurrency: number
  resume?: boolean
}

export async function send(session: Session, flags: SendFlags): Promise<ExitCode> {
  await session.endpoint.requireLive()
  const { batch: file, batchName: name, delimiter, concurrency, resume: isResumed = false } = flags
  if (file === undefined) return sendOne(session, flags)
  refuseSingle(flags)
  const common = await requestOf(session.io, flags)
  return sendBatch(session, { file, name, delimiter, concurrency, isResumed, common })
}

function refuseSingle({ to, watch, idempotencyKey, data }: SendFlags) {
  const used = { 'a recipient': to, '--watch': watch, '--idempotency-key': idempotencyKey, '--data': data }
  const [singleFlag] = Object.entries(used).find(([, it]) => it !== undefined) ?? []
  if (singleFlag) throw usage(`--batch sends many messages, and ${singleFlag} is for one.`)
}

async function sendOne(session: Session, flags: SendFlags): Promise<ExitCode> {
  const { io, output } = session
  const request = await completeRequest(session, await requestOf(io, flags))
  const { sent, isReplay } = await sendUntilAccepted(session, request, (payload) => accept(session, payload, flags))
  // With --watch, lines of other types follow, which name the message as `id`.
  const print = flags.watch ? output.item : output.data
  print({ ...(flags.watch ? { id: sent.message_id, type: 'accepted' } : {}), ...sent }, (paint, shown) =>
    [
      `${paint.green('✓')} ${paint.bold(shown.status)}  ${shown.message_id}`,
      ...(isReplay ? [REPEATED] : []),
      paint.dim(`  ${moneyOf(shown)}`),
      ...(flags.watch ? [] : [`  Next  ${paint.command(`messages watch ${shown.message_id}`)}`]),
    ].join('\n'),
  )
  if (!flags.watch) return EXIT.ok
  return watchToEnd(session, sent.message_id, { interval: flags.interval, settle: flags.settle, timeout: 0 })
}

async function accept({ io, endpoint }: Session, payload: unknown, { idempotencyKey }: SendFlags) {
  const answer = await call(endpoint, operationOf('messages.send'), {}, payload, { idempotencyKey, signal: io.signal })
  return { sent: resultOf(answer) as AnswerTo<'messages.send'>, isReplay: isReplayed(answer) }
}
