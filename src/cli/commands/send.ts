import { type Command, InvalidArgumentError } from 'commander'
import type { AnswerTo } from '../../client/answers.ts'
import { countOf } from '../generate/flags.ts'
import { euros } from '../output/render.ts'
import { callOperation } from '../session/call-operation.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { intervalOption, settleOption, watchToEnd } from '../session/watching.ts'
import { sendUntilAccepted } from '../session/wizard.ts'
import { type BatchFlags, sendBatch } from './send/batch/send-batch.ts'
import { completeRequest } from './send/complete-request.ts'
import { addSendFlags, type SendFlags } from './send/flags.ts'
import { requestOf } from './send/request.ts'

export function add(program: Command, run: Run) {
  const command = program.command('send').helpGroup('Messages:').description('Send a message over RCS or email')
  const suggestions = addSendFlags(command)
  command
    .optionsGroup('Following it:')
    .option('--watch', 'follow the message until it ends, as messages watch does')
    .addOption(settleOption())
    .addOption(intervalOption())
    .optionsGroup('Many at once:')
    .option('--batch <file>', 'send each row of a file of JSON lines or CSV, - for stdin; flags say what all rows have')
    .option('--concurrency <number>', 'so many at a time', atLeastOne, 8)
    .option('--resume', 'the file was sent in part: send what is missing')
    .option('--batch-name <name>', 'by which the rows are known again; else the name of the file')
    .optionsGroup('')
  setAction(command, run, (session, [to], options) => {
    const flags = { ...options, to, suggestions } as unknown as SendFlags & Partial<BatchFlags>
    return flags.batch === undefined ? send(session, flags) : sendBatch(session, flags as BatchFlags)
  })
}

function atLeastOne(text: string): number {
  const count = countOf(text)
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.')
  return count
}

async function send(session: Session, flags: SendFlags) {
  const { io, output, endpoint } = session
  await endpoint.requireLive()
  const sent = await sendUntilAccepted(session, await completeRequest(session, await requestOf(io, flags)), (payload) =>
    callOperation(session, 'messages.send', { payload, idempotencyKey: flags.idempotencyKey }),
  )
  output.data(sent, (paint, shown) =>
    [
      `${paint.green('✓')} ${paint.bold(shown.status)}  ${shown.message_id}`,
      paint.dim(`  ${moneyOf(shown)}`),
      ...(flags.watch ? [] : [`  Next  ${paint.command(`messages watch ${shown.message_id}`)}`]),
    ].join('\n'),
  )
  if (!flags.watch) return
  return watchToEnd(session, sent.message_id, { interval: flags.interval, settle: flags.settle, timeout: 0 })
}

function moneyOf({ billing }: AnswerTo<'messages.send'>): string {
  const parts = [
    ['hold', billing?.hold_amount],
    ['price', billing?.message_price],
    ['free balance', billing?.balance?.free],
  ] as const
  const said = parts.filter(([, amount]) => amount !== undefined).map(([name, amount]) => `${name} ${euros(amount!)}`)
  return [billing?.message_type, ...said].filter(Boolean).join(' · ')
}
