import { sign } from '../../http/signature.ts'
import { sleep } from '../../http/sleep.ts'
import { webhookHeaders } from '../../http/webhook-headers.ts'
import type { Attempt } from '../../relay/forward.ts'
import { eventId } from '../../relay/forward.ts'
import type { LogEvent } from '../../relay/stream.ts'
import type { Schedule } from '../../scenarios/deliveries.ts'
import { oddlySpelled } from '../../service/webhooks/spelling.ts'
import { type Auditor, createAuditor } from '../audit/audit.ts'
import { isAccepted, post, postTogether, unreachable } from '../post.ts'
import { type Application, answerOf, beliefOf, pull, type Surroundings } from './application.ts'
import type { Belief } from './belief.ts'
import type { FlowSandbox, LogEvents } from './flow-sandbox.ts'
import { type PlannedDelivery, planOf } from './schedule.ts'
import { type BeliefDifference, differences, truthOf } from './truth.ts'

/** A fault found by a schedule. A shrunk schedule must fail at the same code and place. */
export interface Finding {
  /** The kind of fault, as in docs/handlers.md. */
  code: string
  /** The affected part of the application. */
  where: string
  message: string
}

/** A delivery with its outcome. */
export interface MadeDelivery extends PlannedDelivery {
  name: string
  body: string
  status: number | null
  /** Further attempts with the same answer. */
  repeats: number
}

export interface PlayResult {
  deliveries: readonly MadeDelivery[]
  findings: readonly Finding[]
}

/** Signing secrets. */
interface Secrets {
  readonly first: string
  /** The secret before the last rotation. */
  old: string
  now: string
}

export interface PlayContext {
  application: Application
  flowSandbox: FlowSandbox
  secret: Secrets
  timeoutMs: number
  /** The application knows the sandbox and may send. */
  sends: boolean
  /** Time for the application to update its belief, machine ms. */
  settleMs: number
  isSubscribed(name: string): boolean
  /** For a handler at a URL: whether it has ever answered, and whether it is down now. */
  life: { hasAnswered: boolean; isDown: boolean }
  signal?: AbortSignal | undefined
}

const MAX_ATTEMPTS = 5
/** Rounds of events caused by the application's own sends. */
const MAX_ROUNDS = 5
const LOOK_EVERY_MS = 10
/** Advances until the application's sends have ended. */
const UNTIL_DONE = '1m'

/** Delivers a recording under a schedule, waits for the application's belief, and compares. */
export async function play(
  context: PlayContext,
  recording: LogEvents,
  schedule: Schedule,
  before: Belief,
): Promise<PlayResult> {
  const deliveries: MadeDelivery[] = []
  const findings: Finding[] = []
  const auditor = createAuditor()
  const queue = planOf(schedule)
  for (let next = queue.shift(); next; next = queue.shift()) {
    const made = await deliver(context, recording[next.event]!, next)
    note(deliveries, made, next)
    findings.push(...(await auditSends(context, auditor, recording[next.event]!)))
    if (isForgery(next)) findings.push(...forgeries(made))
    else if (next.how !== 'lost' && !made.some(isAccepted)) {
      if (next.attempt < MAX_ATTEMPTS) queue.splice(1, 0, retryOf(next))
      else findings.push(neverAccepted(made[0]!))
    }
  }
  const told = schedule.events.map((event) => recording[event]!)
  const settled = await waitForBelief(context, auditor, told, before)
  return { deliveries, findings: withoutRepeats([...findings, ...settled]) }
}

/** A retry is unperturbed and has the same bytes. */
const retryOf = (planned: PlannedDelivery): PlannedDelivery => ({
  ...planned,
  attempt: planned.attempt + 1,
  how: planned.how === 'unusual' ? 'unusual' : 'again',
  isRetry: true,
  restartsAfter: false,
  rotatesBefore: false,
})

/** Merges an attempt with the previous one where the answer is the same. */
function note(deliveries: MadeDelivery[], made: readonly MadeDelivery[], { isRetry, event }: PlannedDelivery) {
  const last = deliveries.findLast((delivery) => delivery.event === event && !isForgery(delivery))
  if (isRetry && last?.status === made[0]!.status) last.repeats++
  else deliveries.push(...made)
}

const isForgery = ({ how }: PlannedDelivery) => how === 'forged' || how === 'old secret'

async function deliver(context: PlayContext, event: LogEvent, planned: PlannedDelivery): Promise<MadeDelivery[]> {
  const { application, secret } = context
  if (planned.rotatesBefore) await rotate(context, `${secret.now}_rotated`)
  const attempts = planned.how === 'overlapping' ? [planned.attempt, planned.attempt + 1] : [planned.attempt]
  const { body, signature } = written(event.body, planned, secret)
  const answers = await postTo(context, body, signature, attempts)
  if (planned.restartsAfter) await pull(application.restart!)
  return answers.map(({ status }, i) => ({
    ...planned,
    attempt: attempts[i]!,
    name: event.event,
    body,
    status,
    repeats: 0,
  }))
}

/** Rotates the application's secret. */
export async function rotate({ application, secret }: PlayContext, to: string) {
  Object.assign(secret, { old: secret.now, now: to })
  await pull(application.rotate!, to)
}

/** The body and signature of a delivery. */
function written(body: string, { how }: PlannedDelivery, { old, now }: Secrets) {
  if (how === 'unusual') return { body: oddlySpelled(body), signature: sign(now, oddlySpelled(body)) }
  if (how === 'forged') return { body: renamed(body), signature: sign(now, body) }
  if (how === 'old secret') return { body: renamed(body), signature: sign(old, renamed(body)) }
  return { body, signature: sign(now, body) }
}

/** The event under a new id. */
const renamed = (body: string) =>
  body.replace(/"evt_[^"]*"/, (id) => id.replace(/[0-9a-f]{12}(?="$)/, (end) => [...end].reverse().join('')))

async function postTo(
  context: PlayContext,
  body: string,
  signature: string,
  attempts: readonly number[],
): Promise<Attempt[]> {
  const { application, flowSandbox, secret, timeoutMs, signal } = context
  const { handler } = application
  const id = eventId(body)
  if (typeof handler !== 'function') {
    const url = new URL(handler)
    const receiver = { url, secret: secret.now, timeoutMs, signal }
    const posted = attempts.map((attempt) => ({ eventId: id, body, signature, attempt }))
    const [only] = posted
    const answers = posted.length > 1 ? await postTogether(receiver, posted) : [await post(receiver, only!)]
    return answers.map((answer) => noted(context, url, answer))
  }
  const { url: baseUrl, apiKey } = flowSandbox.sandbox
  const around: Surroundings = { baseUrl, apiKey, secret: secret.now }
  return Promise.all(
    attempts.map((attempt) =>
      answerOf(handler, { ...WEBHOOK, headers: headersOf(id, signature, attempt), body }, around),
    ),
  )
}

const WEBHOOK = { url: 'http://localhost/hook', method: 'POST' } as const

const headersOf = (id: string, signature: string, attempt: number) =>
  Object.fromEntries(
    Object.entries(webhookHeaders(id, signature, attempt)).map(([name, value]) => [name.toLowerCase(), value]),
  )

/** Throws where nothing has ever listened; a handler that dies later is a finding. */
function noted({ life }: PlayContext, url: URL, answer: Attempt): Attempt {
  if (answer.isDown && !life.hasAnswered) throw unreachable(url, answer)
  life.hasAnswered ||= !answer.isDown
  life.isDown = answer.isDown
  return answer
}

/** Waits until the application believes the truth; returns differences after the time limit. */
async function waitForBelief(
  context: PlayContext,
  auditor: Auditor,
  told: readonly LogEvent[],
  before: Belief,
): Promise<Finding[]> {
  const breaches: Finding[] = []
  const bodies = told.map(({ body }) => body)
  const never = new AbortController().signal
  let rounds = 0
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    for (let events = await newEventsOf(context); events.length > 0; events = await newEventsOf(context)) {
      if (++rounds > MAX_ROUNDS) return [...breaches, neverSettles(events)]
      for (const event of events) {
        await deliver(context, event, { event: 0, attempt: 1, how: 'plain' })
        breaches.push(...(await auditSends(context, auditor, event)))
      }
      bodies.push(...events.map(({ body }) => body))
    }
    const found = differences(await beliefOf(context.application), before, truthOf(bodies))
    if (found.length === 0 || waited >= context.settleMs)
      return [...breaches, ...(await auditSends(context, auditor)), ...found.map(differs)]
    await sleep(LOOK_EVERY_MS, context.signal ?? never)
  }
}

/** Audits what a sending application requested after deliveries. */
async function auditSends({ flowSandbox, sends }: PlayContext, auditor: Auditor, told?: LogEvent): Promise<Finding[]> {
  if (!sends) return []
  if (told) auditor.see({ kind: 'event', body: told.body })
  const breaches = (await flowSandbox.requests()).flatMap((request) => auditor.see(request))
  return breaches.map(({ code, message }) => ({ code, where: 'sends', message }))
}

/** Deduplicates breaches, which may recur with every delivery. */
const withoutRepeats = (findings: readonly Finding[]) =>
  findings.filter(
    ({ code, where }, i) => findings.findIndex((first) => first.code === code && first.where === where) === i,
  )

/** Events caused by the application's own sends. */
async function newEventsOf({ flowSandbox, isSubscribed }: PlayContext): Promise<LogEvents> {
  const first = await flowSandbox.newEvents()
  if (first.length === 0) return []
  await flowSandbox.sandbox.clock.advance(UNTIL_DONE)
  return [...first, ...(await flowSandbox.newEvents())].filter(({ event }) => isSubscribed(event))
}

const differs = ({ section, subject, believed, truth }: BeliefDifference): Finding => ({
  code: 'belief-differs',
  where: section,
  message: `${section} of ${subject}: the application says ${JSON.stringify(believed)}, the truth is ${JSON.stringify(truth)}`,
})

const forgeries = (deliveries: readonly MadeDelivery[]): Finding[] =>
  deliveries.filter(isAccepted).map(({ how, name, status }) => ({
    code: 'forgery-accepted',
    where: how,
    message: `${name} ${how === 'forged' ? 'whose body is not the signed one' : 'signed with the old secret'} was answered ${status}`,
  }))

const neverAccepted = ({ name, status }: MadeDelivery): Finding => ({
  code: 'never-accepted',
  where: name,
  message: `${name} was given up after ${MAX_ATTEMPTS} attempts; the last was ${status === null ? 'not answered' : `answered ${status}`}`,
})

const neverSettles = (events: LogEvents): Finding => ({
  code: 'never-settles',
  where: 'sends',
  message: `what the application sends brings about events to which it sends again, without end: ${events.map(({ event }) => event).join(', ')}`,
})
