import type { Command } from 'commander'
import { call, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { printable } from '../render.ts'
import { does, type Run, type Session } from '../session.ts'
import { completed } from './send/complete.ts'
import { addSendFlags, type SendFlags } from './send/flags.ts'
import { requestOf } from './send/request.ts'
import { intervalOption, settleOption, watch } from './watch/watching.ts'

export function addSend(program: Command, run: Run) {
  const command = program.command('send').helpGroup('Messages:').description('Send a message over RCS or email')
  const suggestions = addSendFlags(command)
  command
    .optionsGroup('Following it:')
    .option('--watch', 'follow the message until it ends, as messages watch does')
    .addOption(settleOption())
    .addOption(intervalOption())
    .optionsGroup('')
  does(command, run, (session, [to], options) => send(session, { ...options, to, suggestions } as unknown as SendFlags))
}

interface SendAnswer {
  message_id: string
  status: string
  billing?: { message_type?: string; hold_amount?: number; message_price?: number; balance?: { free?: number } }
}

async function send(session: Session, flags: SendFlags) {
  const { io, output, endpoint } = session
  const body = await completed(session, await requestOf(io, flags))
  const answer = await call(endpoint, operations.messages.send, {}, body, {
    idempotencyKey: flags.idempotencyKey,
    signal: io.signal,
  })
  const sent = resultOf(answer) as SendAnswer
  const next = `npx sandbox messages watch ${sent.message_id}`
  output.data(sent, (paint) =>
    [
      `${paint.green('✓')} ${paint.bold(printable(sent.status))}  ${printable(sent.message_id)}`,
      paint.dim(`  ${moneyOf(sent)}`),
      ...(flags.watch ? [] : [`  Next  ${paint.cyan(next)}`]),
    ].join('\n'),
  )
  if (!flags.watch) return
  return watch(session, sent.message_id, { interval: flags.interval, settle: flags.settle, timeout: 0 })
}

function moneyOf({ billing }: SendAnswer): string {
  const parts = [
    ['hold', billing?.hold_amount],
    ['price', billing?.message_price],
    ['free balance', billing?.balance?.free],
  ] as const
  const said = parts
    .filter(([, amount]) => amount !== undefined)
    .map(([name, amount]) => `${name} ${amount!.toFixed(4)} EUR`)
  return [billing?.message_type, ...said].filter(Boolean).join(' · ')
}
