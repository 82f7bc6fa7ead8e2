import type { Command } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { logAfter } from '../../../client/pages.ts'
import type { Envelope } from '../../../relay/envelope.ts'
import { type Attempt, type ForwardTarget, forward, isSuccess } from '../../../relay/forward.ts'
import { holdAll, type Where } from '../../../words/where.ts'
import { eventsOption, type Filters, notOption, whereOption, withKnownFields } from '../../commands/listen/filters.ts'
import { headerOption } from '../../commands/listen/routes.ts'
import { addPair, countOf } from '../../generate/flags.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import { EXIT, type ExitCode, Fault, usage } from '../../process/exit.ts'
import { callOperation } from '../../session/call-operation.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { secretFor, targetOf } from '../../session/target.ts'
import { durationOption } from '../../target/globals.ts'
import { editEvent } from './edit-event.ts'

interface ReplayFlags extends Filters {
  where?: Where[]
  subject?: string
  since?: string
  limit?: number
  endpoint?: string
  to?: URL
  set?: Record<string, string>
  resign?: boolean
  secret?: string
  header?: Record<string, string>
  timeout: number
}

export function addReplay(group: Command, run: Run) {
  const command = group
    .command('replay')
    .argument('[ids...]', 'ids of events, or their positions in the log; else all that the filters let through')
    .description('Deliver events again, same ids and bytes, to the endpoints subscribed to them now, or to a URL')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', 'only events of this message, contact or other record')
    .option('--since <start|2h|event>', 'from the start, from so long ago, or after an event')
    .option('--limit <number>', 'so many at most, the oldest first', countOf)
    .option('--endpoint <id>', 'to this endpoint only')
    .option('--to <url>', 'POST it from here, once: a URL, host:port/path or port/path', targetOf)
    .option(
      '--set <field=value>',
      'with --to: change a field before it is signed: data.status=failed (repeatable)',
      addPair,
    )
    .option('--resign', 'with --to: sign with the key of --secret or SANDBOX_WEBHOOK_SECRET, and with no other')
    .option('--secret <secret>', "with --to: key of the signature; else SANDBOX_WEBHOOK_SECRET, else listen's")
    .addOption(headerOption('with --to: '))
    .addOption(durationOption('--timeout <duration>', 'with --to: how long your server may take', '5s'))
    .addHelpText('after', AFTER)
  setAction(command, run, (session, ids, options: ReplayFlags) =>
    replay(session, (ids as unknown as [string[]])[0], options),
  )
}

const AFTER = `
Without --set the bytes are those of the log, so a server that keeps the ids of events knows them again.
With --to it exits with 7 when your server answers no 2xx.

POST /_sandbox/events/{id}/replay

Examples:
  $ sandbox events replay evt_…
  $ sandbox events replay 42 --to 3000/hook
  $ sandbox events replay --events message.failed --since 2h --to 3000/hook
  $ sandbox events replay 42 --to 3000/hook --set data.status=failed`

async function replay(session: Session, ids: readonly string[], flags: ReplayFlags): Promise<ExitCode> {
  refuseNonsense(ids, flags)
  const found = ids.length > 0 ? ids : await matching(session, flags)
  if (found.length === 0) session.output.note((paint) => paint.dim('no events'))
  const one = flags.to ? await forwarding(session, flags.to, flags) : (id: string) => toEndpoints(session, id, flags)
  let missed: Fault | undefined
  for (const id of found) {
    const fault = await one(id)
    if (fault && found.length === 1) throw fault
    if (fault)
      session.output.warn(
        { error: fault.code, message: fault.message, ...fault.extra },
        (paint, { message }) => `${paint.red('✗')} ${message}`,
      )
    missed ??= fault
  }
  return missed ? EXIT.expectation : EXIT.ok
}

function refuseNonsense(ids: readonly string[], { to, endpoint, set, resign, secret, ...flags }: ReplayFlags) {
  const filters = ['events', 'not', 'where', 'subject', 'since', 'limit'] as const
  const isFiltered = filters.some((name) => flags[name] !== undefined)
  if (ids.length === 0 && !isFiltered)
    throw usage('Which events? Give ids, or filters such as --events message.failed --since 2h.')
  if (ids.length > 0 && isFiltered) throw usage('Give ids or filters, not both.')
  if (to && endpoint) throw usage('Give --endpoint or --to, not both.')
  if (!to && (set || resign || secret !== undefined || flags.header))
    throw usage('--set, --resign, --secret and --header go with --to.')
}

/** Ids of the matching events, oldest first. */
async function matching(session: Session, { events, not, subject, since = 'start', limit, ...flags }: ReplayFlags) {
  const where = await withKnownFields(flags.where)
  const payload = { event: events?.join(','), not: not?.join(','), subject, since }
  const read = (query: object) => callOperation(session, 'events.list', { payload: { ...payload, ...query } })
  const ids: string[] = []
  for await (const event of logAfter(0, read, (page) => page.events)) {
    if (ids.length === limit) break
    if (holdAll(where, event)) ids.push(event.id)
  }
  return ids
}

async function toEndpoints(session: Session, id: string, { endpoint }: ReplayFlags): Promise<undefined> {
  const payload = endpoint === undefined ? undefined : { endpoint_id: endpoint }
  const replayed = await callOperation(session, 'events.replay', { params: { id }, payload })
  session.output.item(replayed, (paint, shown) => inWords(shown, paint))
}

function inWords({ event_id, seq, deliveries }: AnswerTo<'events.replay'>, paint: Paint): string {
  if (deliveries.length > 0)
    return deliveries
      .map((one) => `${paint.green('✓')} ${event_id} goes to ${one.endpoint_id} again ${paint.dim(one.status)}`)
      .join('\n')
  return [
    paint.yellow(`! No endpoint is subscribed to ${event_id}; nothing is delivered.`),
    `  To a server of yours:  ${paint.command(`events replay ${seq} --to <url>`)}`,
  ].join('\n')
}

/** Posts events one after the other; returns those that a server did not accept. */
async function forwarding(session: Session, url: URL, flags: ReplayFlags) {
  const { io, output } = session
  if (flags.resign && flags.secret === undefined && !io.env.SANDBOX_WEBHOOK_SECRET)
    throw usage('--resign needs a key: --secret, or SANDBOX_WEBHOOK_SECRET.')
  const target: ForwardTarget = {
    url,
    secret: await secretFor(session, flags.secret),
    timeoutMs: flags.timeout,
    headers: flags.header ?? {},
    network: session.endpoint.network,
  }
  return async (id: string): Promise<Fault | undefined> => {
    const { seq, body, headers } = await callOperation(session, 'events.show', { params: { id } })
    const sent = flags.set ? editEvent(body, flags.set) : body
    const made = await forward(target, sent, 1, io.signal, headers)
    const { id: event_id, event } = JSON.parse(sent) as Envelope
    if (!isSuccess(made)) return notTaken(url, event_id, made)
    const { status, durationMs } = made
    output.item(
      { event_id, seq, to: url.href, edited: sent !== body, status, duration_ms: durationMs },
      (paint, shown) =>
        `${paint.green('✓')} ${printable(event)} ${shown.event_id}${sent === body ? '' : ' (edited)'} → ${url.href}  ${paint.green(String(status))} ${paint.dim(`${durationMs} ms`)}`,
    )
    return undefined
  }
}

const notTaken = ({ href }: URL, event_id: string, { status, error, answer }: Attempt) =>
  new Fault(`${event_id}: ${href} ${status === null ? `gave no answer: ${error ?? ''}` : `answered ${status}`}.`, {
    code: 'not_taken',
    exit: EXIT.expectation,
    hint: 'Is your server running, and does it check the raw body with the secret of sandbox listen --print-secret?',
    extra: { event_id, status, answer: answer.slice(0, 300) },
  })
