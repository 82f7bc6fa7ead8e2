import type { Delivery, TargetState } from '../../../relay/deliver.ts'
import { type Envelope, subjectOf } from '../../../relay/envelope.ts'
import type { Attempt } from '../../../relay/forward.ts'
import type { DeliveryOrder } from '../../../relay/lanes.ts'
import type { LogProgress, RelayListener } from '../../../relay/relay.ts'
import type { ForwardRoute } from '../../../relay/route.ts'
import type { LogEvent } from '../../../relay/stream.ts'
import { shownUrl } from '../../../words/redact.ts'
import { shortened } from '../../../words/shortened.ts'
import type { Output } from '../../output/output.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import { connectionTeller, lagText } from '../../session/connection.ts'
import { hintFor } from '../../target/network.ts'
import { shownTargets, targetLines } from './routes.ts'
import { SOURCES, type SourceWording } from './sources.ts'

export interface Teller extends RelayListener {
  /** The last event that was handled. */
  last: LogEvent | undefined
  /** True for an event that is printed; all are forwarded. */
  shows(envelope: Envelope): boolean
  /** Reports an event that a key sent again. */
  resent(event: LogEvent, deliveries: readonly Delivery[]): void
  stopped(cursor: number | undefined): void
}

interface TellerOptions {
  /** The log of a sandbox by default. */
  source?: SourceWording
  baseUrl: string
  routes: readonly ForwardRoute[]
  order: DeliveryOrder
  retries: number
  cursor?: string
  /** Help on the keys, at a terminal. */
  keys?: string | undefined
}

const ORDERS: Readonly<Record<DeliveryOrder, string>> = {
  log: 'one event at a time, in the order of the log',
  message: 'events of one message in their order, others in parallel',
  none: 'in parallel, in no order',
}
const TWICE = 'after an interruption the last events can arrive twice, with the same id'

/** Prints what the relay does. */
export function createTeller(output: Output, settings: TellerOptions): Teller {
  const { baseUrl, routes, order, retries, source = SOURCES.log } = settings
  const { missed } = source
  let forwarded = 0
  const missing: string[] = []
  const hint = hinter(output, source)
  const targets = shownTargets(routes)
  const policy = `after ${retries === 0 ? '1 attempt' : `${retries + 1} attempts`} without 2xx an event is parked: the position moves on, and a line shows how to replay it. Without a server, events wait`

  const tell = (event: LogEvent, delivery: Delivery) => {
    const envelope = JSON.parse(event.body) as Envelope
    if (!teller.shows(envelope)) return
    output.item(
      { type: 'event', seq: event.seq, ...envelope, ...source.label, ...outcomeOf(delivery, envelope, source) },
      (paint, shown) =>
        [
          `${beginOf(shown, paint)}  ${inWords(delivery, source, routes.length > 1, paint)}`,
          ...(delivery.delivered ? [] : missedInWords(delivery, shown, source, paint)),
        ].join('\n'),
    )
    if (!delivery.delivered) hint(delivery.route, delivery.last)
  }

  const listener: RelayListener = {
    ...connectionTeller(output, baseUrl, {
      what: 'events',
      ready: {
        cursor_name: settings.cursor ?? null,
        targets,
        order: `${ORDERS[order]}; ${TWICE}`,
        policy,
      },
      readyInWords: (progress, paint) => readyInWords(settings, targets, progress, paint, policy),
    }),
    onTargetState(state, route, attempt) {
      const { target } = route
      const message = TARGET[state](shownUrl(target.url), attempt)
      output.warn(
        {
          type: `target_${state}`,
          target: shownUrl(target.url),
          message,
          status: attempt.status,
          reason: attempt.error,
        },
        (paint, { message }) => (state === 'up' ? paint.dim(`  ${message}`) : paint.yellow(`! ${message}`)),
      )
      if (state === 'failing') hint(route, attempt)
    },
    event(event, deliveries) {
      teller.last = event
      for (const delivery of deliveries) {
        if (delivery.delivered) forwarded++
        else missing.push((JSON.parse(event.body) as Envelope).id)
        tell(event, delivery)
      }
      if (deliveries.length > 0) return
      const envelope = JSON.parse(event.body) as Envelope
      if (!teller.shows(envelope)) return
      output.item({ type: 'event', seq: event.seq, ...envelope, ...source.label }, (paint, shown) =>
        beginOf(shown, paint),
      )
    },
  }
  const teller: Teller = {
    ...listener,
    last: undefined,
    shows: () => true,
    resent(event, deliveries) {
      for (const delivery of deliveries) tell(event, delivery)
      if (deliveries.length === 0) output.note((paint) => paint.dim('  There is no target to send it to.'))
    },
    stopped: (cursor: number | undefined) =>
      output.item(
        {
          type: 'stopped',
          cursor: cursor ?? null,
          cursor_name: settings.cursor ?? null,
          forwarded,
          [missed]: missing.length,
          [`${missed}_ids`]: idsOf(missing),
        },
        (paint) => {
          const where = cursor === undefined ? 'stopped' : `stopped after event ${cursor}`
          const next = settings.cursor !== undefined ? `--cursor ${settings.cursor}` : `--since ${cursor}`
          const ids = missing.length > 0 ? `\n${missed}: ${idsOf(missing).join(' ')}` : ''
          return paint.dim(
            `${where}; ${forwarded} forwarded, ${missing.length} ${missed}${cursor === undefined && settings.cursor === undefined ? '' : `. Continue with ${next}`}${ids}`,
          )
        },
      ),
  }
  return teller
}

/** Distinct ids, cut to what a terminal can show. */
const idsOf = (missing: readonly string[]) => [...new Set(missing)].slice(0, MAX_IDS)

const MAX_IDS = 50

function readyInWords(
  { baseUrl, order, cursor, keys }: TellerOptions,
  targets: ReturnType<typeof shownTargets>,
  progress: LogProgress,
  paint: Paint,
  policy: string,
) {
  const named = cursor ? `, cursor ${paint.bold(cursor)}` : ''
  return [
    `${paint.green('✓')} following ${baseUrl} after event ${progress.cursor}${lagText(progress)}${named}`,
    ...targetLines(targets, paint),
    ...(targets.length > 0
      ? [paint.dim(`  ${ORDERS[order]}; ${TWICE}`), paint.dim(`  ${policy}`)]
      : [paint.dim('  events are only printed; --forward-to <url> forwards them')]),
    ...(keys ? [paint.dim(`  ${keys}`)] : []),
  ].join('\n')
}

const TARGET: Readonly<Record<TargetState, (url: string, attempt: Attempt) => string>> = {
  down: (url) => `No server answers at ${url}. Waiting for it …`,
  up: (url) => `${url} answers again.`,
  failing: (url, { status, error }) =>
    `${url} ${status === null ? `did not answer (${error})` : `answered ${status}`}; trying again …`,
}

const checkOf = ({ secret }: SourceWording) =>
  `If it refused the signature, check three things: that it verifies the raw body, before any JSON parsing; that its secret is ${secret}; and that it reads the header X-Service-Signature, sha256=<hex>.`
const REFUSALS = new Set([400, 401, 403])

/** Advises on a failed delivery, once for each status and each kind of broken connection. */
function hinter(output: Output, source: SourceWording) {
  const hinted = new Set<number | string>()
  return ({ target }: ForwardRoute, { status, code }: Attempt) => {
    const what = status ?? code
    if (what === undefined || hinted.has(what)) return
    hinted.add(what)
    const connection = code === undefined ? undefined : hintFor({ code }, target.url, target.network ?? {})
    const check =
      status !== null && REFUSALS.has(status) ? `Your server answered ${status}. ${checkOf(source)}` : connection
    if (check === undefined) return
    const message = output.withProgramName(check)
    output.warn({ type: 'hint', status, message }, (paint, { message }) => paint.yellow(`  ! ${message}`))
  }
}

/** Characters of a refusing answer that are shown. */
const MAX_SHOWN_CHARACTERS = 300

function outcomeOf(
  { route, delivered, attempts, last }: Delivery,
  envelope: Envelope,
  { missed, replay }: SourceWording,
) {
  const again = replay && { replay: `sandbox ${replay(envelope, route)}` }
  return {
    target: shownUrl(route.target.url),
    delivered,
    status: last.status,
    duration_ms: last.durationMs,
    attempts,
    error: last.error,
    ...(delivered ? {} : { [missed]: true, answer: shortened(last.answer, MAX_SHOWN_CHARACTERS), ...again }),
  }
}

const beginOf = (envelope: Envelope, paint: Paint) =>
  [paint.dim(envelope.timestamp.slice(11, 23)), paint.bold(envelope.event.padEnd(20)), subjectOf(envelope)].join('  ')

function inWords(
  { route, delivered, attempts, last }: Delivery,
  { missed }: SourceWording,
  isOneOfSeveral: boolean,
  paint: Paint,
): string {
  const tries = attempts > 1 ? ` after ${attempts} tries` : ''
  const to = isOneOfSeveral ? `→ ${shownUrl(route.target.url)}  ` : ''
  if (delivered) return `${to}${paint.green(String(last.status))} ${paint.dim(`${last.durationMs} ms${tries}`)}`
  return `${to}${paint.red(`${last.status ?? last.error}${tries}; ${missed}`)} ${paint.dim(`${last.durationMs} ms`)}`
}

function missedInWords(
  { route, last }: Delivery,
  envelope: Envelope,
  { replay }: SourceWording,
  paint: Paint,
): string[] {
  const answer = printable(shortened(last.answer.trim().replace(/\s+/g, ' '), MAX_SHOWN_CHARACTERS))
  return [
    ...(answer ? [paint.dim(`  ${answer}`)] : []),
    ...(replay ? [`  ${paint.command(replay(envelope, route))}`] : []),
  ]
}
