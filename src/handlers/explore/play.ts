import { Unreachable } from '../../http/exchange.ts'
import { sign } from '../../http/signature.ts'
import { sleep } from '../../http/sleep.ts'
import { webhookHeaders } from '../../http/webhook-headers.ts'
import { eventId } from '../../relay/forward.ts'
import type { LogEvent } from '../../relay/stream.ts'
import type { Schedule } from '../../scenarios/deliveries.ts'
import { oddlySpelled } from '../../service/webhooks/spelling.ts'
import { type Auditor, createAuditor } from '../audit/audit.ts'
import { type Answer, isAccepted, post, postTogether } from '../post.ts'
import { type Application, answerOf, beliefOf, pull, type Surroundings } from './application.ts'
import type { Belief } from './belief.ts'
import { type Planned, planOf } from './schedule.ts'
import type { Recording, Theatre } from './stage.ts'
import { type Difference, differences, truthOf } from './truth.ts'

/** What a schedule brought to light, with the place that a shrunk one has to fail at too. */
export interface Finding {
  /** Names the kind of fault in docs/handlers.md. */
  code: string
  /** The part of the application that is concerned. */
  where: string
  message: string
}

/** One delivery as it was made. */
export interface Delivered extends Planned {
  name: string
  body: string
  status: number | null
  /** How many more attempts were answered the same. */
  repeats: number
}

export interface Played {
  deliveries: readonly Delivered[]
  findings: readonly Finding[]
}

/** What webhooks are signed with. */
interface Secret {
  readonly first: string
  /** Before the last rotation. */
  old: string
  now: string
}

export interface Scene {
  application: Application
  theatre: Theatre
  secret: Secret
  timeoutMs: number
  /** The application knows the sandbox, and may ask something of it. */
  sends: boolean
  /** How long an application may take to believe what it was told, in ms of the machine. */
  settleMs: number
  /** Which events the endpoint is subscribed to. */
  isSubscribed(name: string): boolean
  /** What is known of the handler at a URL: it has answered once, and nobody listens there any more. */
  life: { hasAnswered: boolean; isDown: boolean }
  signal?: AbortSignal | undefined
}

const MAX_ATTEMPTS = 5
/** How often what an application sends may lead to further events. */
const MAX_ROUNDS = 5
const LOOK_EVERY_MS = 10
/** Lets what the application sent reach its end. */
const UNTIL_DONE = '1m'

/** Delivers a recording under a schedule, lets everything settle, and compares. */
export async function play(scene: Scene, recording: Recording, schedule: Schedule, before: Belief): Promise<Played> {
  const deliveries: Delivered[] = []
  const findings: Finding[] = []
  const auditor = createAuditor()
  const queue = planOf(schedule)
  for (let next = queue.shift(); next; next = queue.shift()) {
    const made = await deliver(scene, recording[next.event]!, next)
    note(deliveries, made, next)
    findings.push(...(await overheard(scene, auditor, recording[next.event]!)))
    if (isForgery(next)) findings.push(...forgeries(made))
    else if (next.how !== 'lost' && !made.some(isAccepted)) {
      if (next.attempt < MAX_ATTEMPTS) queue.splice(1, 0, retryOf(next))
      else findings.push(neverAccepted(made[0]!))
    }
  }
  const told = schedule.events.map((event) => recording[event]!)
  const settled = await settle(scene, auditor, told, before)
  return { deliveries, findings: withoutRepeats([...findings, ...settled]) }
}

/** The next attempt is as it should be; only the bytes are the same. */
const retryOf = (planned: Planned): Planned => ({
  ...planned,
  attempt: planned.attempt + 1,
  how: planned.how === 'unusual' ? 'unusual' : 'again',
  isRetry: true,
  restartsAfter: false,
  rotatesBefore: false,
})

/** An attempt that is answered as the one before it is no line of its own. */
function note(deliveries: Delivered[], made: readonly Delivered[], { isRetry, event }: Planned) {
  const last = deliveries.findLast((delivery) => delivery.event === event && !isForgery(delivery))
  if (isRetry && last?.status === made[0]!.status) last.repeats++
  else deliveries.push(...made)
}

const isForgery = ({ how }: Planned) => how === 'forged' || how === 'old secret'

async function deliver(scene: Scene, event: LogEvent, planned: Planned): Promise<Delivered[]> {
  const { application, secret } = scene
  if (planned.rotatesBefore) await rotate(scene, `${secret.now}_rotated`)
  const attempts = planned.how === 'overlapping' ? [planned.attempt, planned.attempt + 1] : [planned.attempt]
  const { body, signature } = written(event.body, planned, secret)
  const answers = await postTo(scene, body, signature, attempts)
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

/** From now on the application is to know another secret. */
export async function rotate({ application, secret }: Scene, to: string) {
  Object.assign(secret, { old: secret.now, now: to })
  await pull(application.rotate!, to)
}

/** The bytes of a delivery and their signature. */
function written(body: string, { how }: Planned, { old, now }: Secret) {
  if (how === 'unusual') return { body: oddlySpelled(body), signature: sign(now, oddlySpelled(body)) }
  if (how === 'forged') return { body: renamed(body), signature: sign(now, body) }
  if (how === 'old secret') return { body: renamed(body), signature: sign(old, renamed(body)) }
  return { body, signature: sign(now, body) }
}

/** The same event under another id, so that nobody knows it. */
const renamed = (body: string) =>
  body.replace(/"evt_[^"]*"/, (id) => id.replace(/[0-9a-f]{12}(?="$)/, (end) => [...end].reverse().join('')))

async function postTo(scene: Scene, body: string, signature: string, attempts: readonly number[]): Promise<Answer[]> {
  const { application, theatre, secret, timeoutMs, signal } = scene
  const { handler } = application
  const id = eventId(body)
  if (typeof handler !== 'function') {
    const url = new URL(handler)
    const receiver = { url, secret: secret.now, timeoutMs, signal }
    const posted = attempts.map((attempt) => ({ eventId: id, body, signature, attempt }))
    const [only] = posted
    const answers = posted.length > 1 ? await postTogether(receiver, posted) : [await post(receiver, only!)]
    return answers.map((answer) => noted(scene, url, answer))
  }
  const { url: baseUrl, apiKey } = theatre.sandbox
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

/** Throws when nobody has ever listened there; a handler that dies later has a fault. */
function noted({ life }: Scene, url: URL, answer: Answer): Answer {
  if (answer.isDown && !life.hasAnswered)
    throw new Unreachable(url, Object.assign(new Error(answer.error!), { code: 'ECONNREFUSED' }))
  life.hasAnswered ||= !answer.isDown
  life.isDown = answer.isDown
  return answer
}

/** Waits until the application believes the truth, and tells what it does not believe when it has had its time. */
async function settle(scene: Scene, auditor: Auditor, told: readonly LogEvent[], before: Belief): Promise<Finding[]> {
  const breaches: Finding[] = []
  const bodies = told.map(({ body }) => body)
  const never = new AbortController().signal
  let rounds = 0
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    for (let news = await newsOf(scene); news.length > 0; news = await newsOf(scene)) {
      if (++rounds > MAX_ROUNDS) return [...breaches, neverSettles(news)]
      for (const event of news) {
        await deliver(scene, event, { event: 0, attempt: 1, how: 'plain' })
        breaches.push(...(await overheard(scene, auditor, event)))
      }
      bodies.push(...news.map(({ body }) => body))
    }
    const found = differences(await beliefOf(scene.application), before, truthOf(bodies))
    if (found.length === 0 || waited >= scene.settleMs)
      return [...breaches, ...(await overheard(scene, auditor)), ...found.map(differs)]
    await sleep(LOOK_EVERY_MS, scene.signal ?? never)
  }
}

/** What an application that sends asked for after it was told something, as far as that breaks an invariant. */
async function overheard({ theatre, sends }: Scene, auditor: Auditor, told?: LogEvent): Promise<Finding[]> {
  if (!sends) return []
  if (told) auditor.see({ kind: 'event', body: told.body })
  const breaches = (await theatre.requests()).flatMap((request) => auditor.see(request))
  return breaches.map(({ code, message }) => ({ code, where: 'sends', message }))
}

/** One breach can come with every delivery. */
const withoutRepeats = (findings: readonly Finding[]) =>
  findings.filter(
    ({ code, where }, i) => findings.findIndex((first) => first.code === code && first.where === where) === i,
  )

/** What the application has brought about by sends of its own, and what became of these. */
async function newsOf({ theatre, isSubscribed }: Scene): Promise<Recording> {
  const first = await theatre.news()
  if (first.length === 0) return []
  await theatre.sandbox.clock.advance(UNTIL_DONE)
  return [...first, ...(await theatre.news())].filter(({ event }) => isSubscribed(event))
}

const differs = ({ section, subject, believed, truth }: Difference): Finding => ({
  code: 'belief-differs',
  where: section,
  message: `${section} of ${subject}: the application says ${JSON.stringify(believed)}, the truth is ${JSON.stringify(truth)}`,
})

const forgeries = (deliveries: readonly Delivered[]): Finding[] =>
  deliveries.filter(isAccepted).map(({ how, name, status }) => ({
    code: 'forgery-accepted',
    where: how,
    message: `${name} ${how === 'forged' ? 'whose body is not the signed one' : 'signed with the old secret'} was answered ${status}`,
  }))

const neverAccepted = ({ name, status }: Delivered): Finding => ({
  code: 'never-accepted',
  where: name,
  message: `${name} was given up after ${MAX_ATTEMPTS} attempts; the last was answered ${status ?? 'not at all'}`,
})

const neverSettles = (news: Recording): Finding => ({
  code: 'never-settles',
  where: 'sends',
  message: `what the application sends brings about events to which it sends again, without end: ${news.map(({ event }) => event).join(', ')}`,
})
