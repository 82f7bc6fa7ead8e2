import { Dispatcher } from '../../../relay/dispatch.ts'
import type { Envelope } from '../../../relay/envelope.ts'
import type { DeliveryOrder } from '../../../relay/lanes.ts'
import { followMessageLog, type MessageStep } from '../../../relay/message-log.ts'
import { randomSecret } from '../../../relay/random-secret.ts'
import type { ForwardRoute } from '../../../relay/route.ts'
import { VISIBLE_EVENTS } from '../../../relay/status-events.ts'
import { isSubscribed } from '../../../words/event-patterns.ts'
import { suggest } from '../../../words/suggest.ts'
import { EXIT, type ExitCode, misconfigured, usage } from '../../process/exit.ts'
import { tellTaken } from '../../session/connection.ts'
import type { Session } from '../../session/session.ts'
import { writeEnvFile } from './env-file.ts'
import { createKeys, KEYS } from './keys.ts'
import { openCursor } from './poll-cursor.ts'
import { type ForwardFlags, routesFor, shownTargets, targetLines } from './routes.ts'
import { SOURCES } from './sources.ts'
import { createTeller } from './tell.ts'

export interface PollFlags extends ForwardFlags {
  interval: number
  since?: string
  cursor?: string
  order: DeliveryOrder
  retries: number
}

/** Creates webhooks from the message log of a service, without an endpoint. They are signed here and labelled as polled. */
export async function poll(session: Session, flags: PollFlags): Promise<ExitCode> {
  const { io, output, endpoint } = session
  if (flags.since !== undefined && flags.since !== 'start')
    throw usage(
      'With --poll, --since must be start: a message log has no positions. Without --since, --poll begins now.',
    )
  const isWanted = filterOf(flags)
  const header = { ...flags.header, 'X-Sandbox-Source': 'poll' }
  const routes = routesFor(session, { ...flags, header }, await secretOf(session, flags))
  const keys = output.canAsk ? io.keys : undefined
  const teller = createTeller(output, { ...flags, baseUrl: endpoint.baseUrl, routes, source: SOURCES.poll })
  const left = new AbortController()
  const signal = AbortSignal.any([io.signal, left.signal])
  const { order, retries, where } = flags
  const dispatcher = new Dispatcher({ routes, order, retries, where, signal, onTargetState: teller.onTargetState })
  const failed = (error: unknown) => {
    if (!signal.aborted) left.abort(error)
  }
  const echo = (text: string) => void io.stderr.write(text)
  const release = keys?.(createKeys({ output, teller, dispatcher, echo, quit: () => left.abort(QUIT), failed }))
  const cursor =
    flags.cursor === undefined ? undefined : await openCursor(session, flags.cursor, waiting(session, flags.cursor))
  let seq = 0
  const take = async (envelope: Envelope, step: MessageStep) => {
    if (!isWanted(envelope)) return cursor?.dealtWith(step)
    const event = { seq: ++seq, event: envelope.event, body: JSON.stringify(envelope) }
    dispatcher
      .take(event)
      .then((deliveries) => {
        cursor?.dealtWith(step)
        if (deliveries) teller.event(event, deliveries)
      })
      .catch(failed)
    await dispatcher.room()
  }
  try {
    await followMessageLog({
      client: endpoint,
      everyMs: flags.interval,
      fromStart: flags.since === 'start',
      seen: cursor,
      signal,
      on: { ...connectionOf(session, flags, routes, keys && KEYS), event: take },
    })
  } finally {
    release?.()
    cursor?.close()
  }
  if (left.signal.aborted && left.signal.reason !== QUIT) throw left.signal.reason
  if (io.signal.reason !== 'EPIPE') teller.stopped(undefined)
  return EXIT.ok
}

const QUIT = 'quit'

const waiting =
  ({ output }: Session, name: string) =>
  (pid: number) =>
    tellTaken(output, { cursor: name, holder: `process ${pid}` }, `The cursor ${name} is in use by process ${pid}.`)

async function secretOf({ io }: Session, { secret, writeEnv, forwardTo }: PollFlags): Promise<string> {
  const chosenSecret = secret ?? (io.env.SANDBOX_WEBHOOK_SECRET || undefined)
  const key = chosenSecret ?? (writeEnv === undefined ? undefined : randomSecret())
  if (key === undefined && forwardTo)
    throw misconfigured(
      'With --poll the events are signed here, but no secret is set.',
      'Pass one with --secret or SANDBOX_WEBHOOK_SECRET, or let --write-env <file> create one.',
    )
  if (writeEnv !== undefined) await writeEnvFile(io, writeEnv, key!)
  return key ?? ''
}

/** Refuses events that a message log never shows, because waiting for them would never end. */
function filterOf({ events, not = [], forwardTo = [] }: PollFlags): (envelope: Envelope) => boolean {
  const visible = [...VISIBLE_EVENTS, 'message.*', 'email.*', '*']
  for (const name of [...(events ?? []), ...not, ...forwardTo.flatMap((routed) => routed.events ?? [])])
    if (!visible.includes(name))
      throw usage(
        `--poll does not see ${name}${suggest(name, visible) || '.'}`,
        `It sees ${VISIBLE_EVENTS.join(', ')}.`,
      )
  return ({ event }) => (events === undefined || isSubscribed(events, event)) && !isSubscribed(not, event)
}

/** Reports the state of polling. */
function connectionOf(
  { output, endpoint: { baseUrl } }: Session,
  flags: PollFlags,
  routes: readonly ForwardRoute[],
  keys: string | undefined,
) {
  const targets = shownTargets(routes)
  const label =
    'made and signed here from the message log, and sent with X-Sandbox-Source: poll; fields that the log does not contain are missing'
  let isSparing = false
  return {
    ready: (count: number) =>
      output.item(
        {
          type: 'ready',
          url: baseUrl,
          source: 'poll',
          interval_ms: flags.interval,
          cursor_name: flags.cursor ?? null,
          messages: count,
          targets,
          label,
        },
        (paint) =>
          [
            `${paint.green('✓')} polling the messages of ${baseUrl} every ${flags.interval / 1000} s`,
            ...targetLines(targets, paint),
            paint.dim(`  events are ${label}`),
            ...(keys ? [paint.dim(`  ${keys}`)] : []),
          ].join('\n'),
      ),
    lost: ({ message }: Error) =>
      output.warn({ type: 'lost', message }, (paint) =>
        paint.yellow(`! ${message.replace(/\.$/, '')}. Trying again …`),
      ),
    resumed: () => output.warn({ type: 'resumed' }, (paint) => paint.dim('  it answers again')),
    sparing(ms: number) {
      const message = `The rate limit is nearly used up; the next request is in ${Math.ceil(ms / 1000)} s.`
      if (!isSparing) output.warn({ type: 'sparing', wait_ms: Math.round(ms), message })
      isSparing = true
    },
  }
}
