import type { AnswerTo } from '../../../../client/answers.ts'
import { allItems, logAfter } from '../../../../client/pages.ts'
import type { Envelope } from '../../../../relay/envelope.ts'
import { type ForwardTarget, forward, isAccepted } from '../../../../relay/forward.ts'
import { poll } from '../../../../waiting/until.ts'
import { shownUrl } from '../../../../words/redact.ts'
import { holdAll, type Where } from '../../../../words/where.ts'
import { deliveryOf } from '../../../nouns/events/result.ts'
import { printable } from '../../../output/printable.ts'
import { EXIT, type ExitCode, type Fault, usage } from '../../../process/exit.ts'
import { subjectOption } from '../../../session/last-sent.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { secretFor } from '../../../target/handler.ts'
import { type Filters, withPossible } from '../../listen/filters.ts'
import { editEvent } from './edit-event.ts'
import { inWords, notAccepted } from './tell.ts'

type Replayed = AnswerTo<'events.replay'>['deliveries'][number]

export interface ReplayFlags extends Filters {
  where?: Where[]
  subject?: string
  failed?: boolean
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

export async function replay(session: Session, [ids]: [string[]], flags: ReplayFlags): Promise<ExitCode> {
  refuseNonsense(ids, flags)
  const failed = flags.failed ? await failedDeliveries(session, flags) : undefined
  const found = ids.length > 0 ? ids : await matching(session, flags, failed)
  if (found.length === 0) session.output.warn({ warning: 'no_events', ...(await whyNone(session, flags)) })
  // The one answer of a command is printed even if --query finds nothing in it.
  const tell: Tell = found.length === 1 ? session.output.data : session.output.item
  const one = flags.to
    ? await forwarding(session, flags.to, flags, tell)
    : (id: string) => toEndpoints(session, id, failed?.get(id) ?? [flags.endpoint], tell)
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

/** A delivery between two attempts has not failed yet. */
async function whyNone(session: Session, flags: ReplayFlags) {
  const message = 'No event matches.'
  const tried = flags.failed
    ? (await deliveriesIn(session, 'pending', flags)).filter(({ attempts: [made] }) => made)
    : []
  const [next] = tried.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).sort()
  if (next === undefined) return { message }
  const waiting = tried.length === 1 ? '1 delivery waits' : `${tried.length} deliveries wait`
  return {
    message: `${message} ${waiting} for another attempt, the next at ${next}.`,
    hint: `To make the attempt now: sandbox clock advance --to ${next}`,
  }
}

function refuseNonsense(ids: readonly string[], { to, endpoint, set, resign, secret, ...flags }: ReplayFlags) {
  const filters = ['events', 'not', 'where', 'subject', 'failed', 'since', 'limit'] as const
  const isFiltered = filters.some((name) => flags[name] !== undefined)
  if (ids.length === 0 && !isFiltered)
    throw usage('Missing events. Pass ids, or filters such as --events message.failed --since 2h.')
  if (ids.length > 0 && isFiltered) throw usage('Pass ids or filters, not both.')
  if (to && endpoint) throw usage('Pass --endpoint or --to, not both.')
  if (!to && (set || resign || secret !== undefined || flags.header))
    throw usage('--set, --resign, --secret and --header go with --to.')
}

const deliveriesIn = (session: Session, status: 'failed' | 'pending', { endpoint: endpoint_id }: ReplayFlags) =>
  allItems(
    (page) => callOperation(session, 'events.deliveries', { payload: { ...page, status, endpoint_id } }),
    ({ data }) => data,
  )

/** The endpoints at which the newest delivery of an event has failed, by event. */
async function failedDeliveries(session: Session, flags: ReplayFlags) {
  const failed = await deliveriesIn(session, 'failed', flags)
  const endpoints = new Map<string, string[]>()
  // Endpoints that were removed have no URL.
  for (const { event_id, endpoint_id, url, replay } of failed)
    if (!replay && url !== null) endpoints.set(event_id, [...(endpoints.get(event_id) ?? []), endpoint_id])
  return endpoints
}

/** Ids of the matching events, oldest first. */
async function matching(
  session: Session,
  { events, not, subject, since = 'start', limit, ...flags }: ReplayFlags,
  among?: ReadonlyMap<string, unknown>,
) {
  const where = await withPossible(flags.where)
  const payload = {
    event: events?.join(','),
    not: not?.join(','),
    subject: subject && (await subjectOption.read(subject, session)),
    since,
  }
  const read = (query: object) => callOperation(session, 'events.list', { payload: { ...payload, ...query } })
  const ids: string[] = []
  for await (const event of logAfter(0, read, (page) => page.events)) {
    if (ids.length === limit) break
    if (holdAll(where, event) && (among?.has(event.id) ?? true)) ids.push(event.id)
  }
  return ids
}

type Tell = Session['output']['item']

async function toEndpoints(
  session: Session,
  id: string,
  endpoints: readonly (string | undefined)[],
  tell: Tell,
): Promise<undefined> {
  for (const endpoint_id of endpoints) {
    const payload = endpoint_id === undefined ? undefined : { endpoint_id }
    const replayed = await callOperation(session, 'events.replay', { params: { id }, payload })
    const deliveries = await Promise.all(replayed.deliveries.map((one) => afterAttempt(session, one)))
    tell({ ...replayed, deliveries }, (paint, shown) => inWords(shown, paint))
  }
}

/** An earlier delivery, or an advance in progress, may hold an attempt back. */
const RESULT_WITHIN_MS = 1_000

async function afterAttempt(session: Session, delivery: Replayed): Promise<Replayed> {
  const wait = { everyMs: 20, timeoutMs: RESULT_WITHIN_MS, signal: session.io.signal }
  const attempted = await poll(wait, async () => {
    const now = await deliveryOf(session, delivery.id)
    return now.attempts.length > 0 ? now : undefined
  })
  return attempted ?? delivery
}

/** Posts events one after the other; returns those that a server did not accept. */
async function forwarding(session: Session, url: URL, flags: ReplayFlags, tell: Tell) {
  const { io } = session
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
    if (!isAccepted(made)) return notAccepted(url, event_id, made)
    const { status, durationMs } = made
    tell(
      { event_id, seq, to: shownUrl(url), edited: sent !== body, status, duration_ms: durationMs },
      (paint, shown) =>
        `${paint.green('✓')} ${printable(event)} ${shown.event_id}${sent === body ? '' : ' (edited)'} → ${shownUrl(url)}  ${paint.green(String(status))} ${paint.dim(`${durationMs} ms`)}`,
    )
    return undefined
  }
}
