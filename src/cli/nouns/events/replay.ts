import type { Command } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { type Attempt, forward, isSuccess } from '../../../relay/forward.ts'
import { ask } from '../../ask.ts'
import { EXIT, Fault, usage } from '../../exit.ts'
import { durationOption } from '../../globals.ts'
import type { Paint } from '../../paint.ts'
import { printable } from '../../render.ts'
import { does, type Run, type Session } from '../../session.ts'
import { secretFor, targetOf } from '../../target.ts'

interface ReplayFlags {
  endpoint?: string
  forwardTo?: URL
  secret?: string
  timeout: number
}

export function addReplay(group: Command, run: Run) {
  const command = group
    .command('replay')
    .argument('<id>', 'id of the event, or its position in the log')
    .description('Deliver an event again, same id and bytes, to the endpoints subscribed to it now, or to a URL')
    .option('--endpoint <id>', 'to this endpoint only')
    .option('--forward-to <url>', 'POST it once from here: a URL, host:port/path or port/path', targetOf)
    .option('--secret <secret>', "with --forward-to: key of the signature; else SANDBOX_WEBHOOK_SECRET, else listen's")
    .addOption(durationOption('--timeout <duration>', 'with --forward-to: how long your server may take', '5s'))
    .addHelpText('after', AFTER)
  does(command, run, (session, [id], options) => replay(session, id!, options as unknown as ReplayFlags))
}

const AFTER = `
With --forward-to it exits with 7 when your server answers no 2xx.

POST /_sandbox/events/{id}/replay

Examples:
  $ sandbox events replay evt_…
  $ sandbox events replay 42 --forward-to 3000/hook`

async function replay(session: Session, id: string, flags: ReplayFlags) {
  if (flags.forwardTo && flags.endpoint) throw usage('Give --endpoint or --forward-to, not both.')
  if (flags.forwardTo) return forwardOne(session, id, flags.forwardTo, flags)
  const payload = flags.endpoint === undefined ? undefined : { endpoint_id: flags.endpoint }
  const replayed = await ask(session, 'events.replay', { params: { id }, payload })
  session.output.data(replayed, (paint) => inWords(replayed, paint))
  return EXIT.ok
}

function inWords({ event_id, seq, deliveries }: AnswerTo<'events.replay'>, paint: Paint): string {
  if (deliveries.length > 0)
    return deliveries
      .map((one) => `${paint.green('✓')} ${event_id} goes to ${one.endpoint_id} again ${paint.dim(one.status)}`)
      .join('\n')
  return [
    paint.yellow(`! No endpoint is subscribed to ${event_id}; nothing is delivered.`),
    `  To a server of yours: sandbox events replay ${seq} --forward-to <url>`,
  ].join('\n')
}

async function forwardOne(session: Session, id: string, url: URL, { secret, timeout }: ReplayFlags) {
  const { io, output } = session
  const { seq, event, id: event_id, body } = await ask(session, 'events.show', { params: { id } })
  const target = { url, secret: await secretFor(session, secret), timeoutMs: timeout }
  const made = await forward(target, body, 1, io.signal)
  if (!isSuccess(made)) throw notTaken(url, made)
  const { status, durationMs } = made
  output.data(
    { event_id, seq, forward_to: url.href, status, duration_ms: durationMs },
    (paint) =>
      `${paint.green('✓')} ${event} ${event_id} → ${url.href}  ${paint.green(String(status))} ${paint.dim(`${durationMs} ms`)}`,
  )
  return EXIT.ok
}

const notTaken = ({ href }: URL, { status, error }: Attempt) =>
  new Fault(`${href} ${status === null ? `gave no answer: ${printable(error ?? '')}` : `answered ${status}`}.`, {
    code: 'not_taken',
    exit: EXIT.expectation,
    hint: 'Is your server running, and does it check the raw body with the secret of sandbox listen --print-secret?',
    extra: { status },
  })
