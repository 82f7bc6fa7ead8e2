import { inLowerCase } from '../../http/in-process.ts'
import { sign } from '../../http/signature.ts'
import { deadline, sleep } from '../../http/sleep.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import { type Attempt, eventId } from '../../relay/forward.ts'
import type { LogEvent } from '../../relay/stream.ts'
import { type CallInstant, CROWD, isOfCall, type KillInstant } from '../../scenarios/deliveries.ts'
import { oddlySpelled } from '../../service/webhooks/spelling.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import {
  headersOf,
  post,
  postBesideStalled,
  postHalf,
  postInPieces,
  postTogether,
  requireConnection,
  type WebhookPost,
  worthlessSignatures,
} from '../post.ts'
import { type Environment, type HandlerFunction, useLever } from './application.ts'
import { type PlayContext, type Secrets, usualAnswerMs } from './context.ts'
import { Ended } from './ended.ts'
import type { MadeDelivery, PlannedDelivery } from './schedule.ts'
import { altered, inventedFrom, renamed } from './variations.ts'

/** Time in which a process that has just closed its connections is seen to end, machine ms. */
const END_MS = 60
const LATE_END_MS = 2_000
const LOOK_EVERY_MS = 5

/** An application that is never seen to work for longer does everything before its answer. */
export const PROMPT_MS = 5

/** A delivery to make. */
interface Item {
  event: LogEvent
  planned: PlannedDelivery
  /** It belongs to none of the plays; there may be thousands of these. */
  isOfOther?: boolean
}

/** Posts events as planned, several at the same instant. Returns the outcome of each. */
export async function deliver(context: PlayContext, items: readonly Item[]): Promise<MadeDelivery[][]> {
  const { secret } = context
  const [{ rotatesBefore, killsAt, restartsAfter }] = items.map(({ planned }) => planned) as [PlannedDelivery]
  if (rotatesBefore) await rotate(context, `${secret.now}_rotated`)
  for (const { event, planned } of items)
    if (planned.failsCall) await context.flowSandbox.failNextCall(planned.failsCall, event)
  const posts = items.flatMap((item) => postsOf(item, secret))
  const { answers, isWithoutCall, isBlocked } = await attempt(context, posts, items[0]!.planned)
  const made = posts.map(({ attempt, item: { event, planned }, body }, i) => ({
    ...planned,
    // Without a call it is a restart.
    ...(isWithoutCall && { killsAt: undefined, restartsAfter: 'killed' as const }),
    attempt,
    name: event.event,
    body,
    status: answers[i]!.status,
    thrown: answers[i]!.thrown,
    isBlocked,
    repeats: 0,
    refusedCalls: [],
  }))
  const isStopping = restartsAfter && restartsAfter !== 'ending' && !killsAt
  if (items.some(({ planned }) => planned.failsCall && (isStopping || planned.isOvertaken)))
    await context.flowSandbox.untilCallsFail(CALL_SETTLES * context.settleMs)
  else if (isStopping) await workBegun(context)
  if (killsAt || restartsAfter) await startAgain(context, made, restartsAfter === 'orderly')
  else if (answers.some(({ status }) => status === null)) {
    // It has waited for its own call for longer than the service waits for it.
    context.flowSandbox.gate.endWithheld()
    await requireAlive(context, made)
  }
  return items.map((item) => made.filter((_, i) => posts[i]!.item === item))
}

/** Shares of the longest time that an application was seen to work after its answers; most work is much shorter. */
export const RESTART_INSTANTS = [0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]

/** The instants of the work after an answer at which the application is restarted in turn. */
export const restartInstants = ({ seen }: PlayContext): number =>
  seen.longestWorkMs > PROMPT_MS ? RESTART_INSTANTS.length : 1

const restartInstant = ({ kills }: PlayContext) => RESTART_INSTANTS[kills.restarts % RESTART_INSTANTS.length]!

/** Whether the next restart comes during the work on the last event, and not while earlier ones wait for theirs. */
export const isRestartInWork = (context: PlayContext): boolean =>
  restartInstants(context) > 1 && restartInstant(context) > 0

/** An application that works after its answers is stopped at another instant of that work each time. */
async function workBegun(context: PlayContext) {
  const { seen, kills, settleMs, signal } = context
  const share = restartInstant(context)
  kills.restarts++
  const pauseMs = share * Math.min(seen.longestWorkMs, settleMs)
  if (pauseMs > 0) await sleep(pauseMs, signal)
}

/** Restarts the application; throws where it does not start again. It may have started with its first secret. */
async function startAgain(
  { application, life, secret, signal }: PlayContext,
  made: readonly MadeDelivery[],
  isOrderly: boolean,
) {
  try {
    if (isOrderly && application.terminate) await useLever(application.terminate)
    await useLever(application.restart!)
    if (secret.now !== secret.first) await useLever(application.rotate!, secret.now)
    Object.assign(life, { isDown: false, upMs: stopwatch() })
  } catch (error) {
    signal?.throwIfAborted()
    life.isDown = true
    throw new Ended('not-restarted', error as Error, made)
  }
}

/** Throws where the application has ended. */
export async function requireAlive({ application, life, signal }: PlayContext, made: readonly MadeDelivery[] = []) {
  if (!life.isDown && !application.ended) return
  const elapsed = stopwatch()
  // Its end is seen a little after its connections are closed.
  while (application.ended && !application.ended() && elapsed() < (life.isDown ? LATE_END_MS : END_MS))
    await sleep(LOOK_EVERY_MS, signal)
  const how = application.ended?.()
  if (how === undefined && !life.isDown) return
  life.isDown = true
  throw new Ended('died', how, made)
}

/** Rotates the application's secret. */
export async function rotate({ application, secret }: PlayContext, to: string) {
  Object.assign(secret, { old: secret.now, now: to })
  await useLever(application.rotate!, to)
}

interface PlannedPost extends WebhookPost {
  item: Item
  attempt: number
}

function postsOf(item: Item, secret: Secrets): PlannedPost[] {
  const { event, planned, isOfOther = false } = item
  const attempts = planned.how === 'overlapping' ? [planned.attempt, planned.attempt + 1] : [planned.attempt]
  const { body, ...different } = writtenAs(event.body, planned, secret)
  return attempts.map((attempt) => ({
    ...{ item, attempt, body, eventId: eventId(body), isAlone: !isOfOther },
    ...different,
  }))
}

/** The body of a delivery, and what else differs from a usual one. */
function writtenAs(
  body: string,
  { how }: PlannedDelivery,
  { old, now }: Secrets,
): Partial<WebhookPost> & Pick<WebhookPost, 'body'> {
  if (how === 'unusual') return { body: oddlySpelled(body) }
  if (how === 'headers') return { body, hasOtherHeaders: true }
  if (how === 'unknown' || how === 'unknown family') return { body: inventedFrom(body, how === 'unknown') }
  if (how === 'forged') return { body: renamed(body), signature: sign(now, body) }
  if (how === 'altered') return { body: altered(body), signature: sign(now, body) }
  if (how === 'old secret') return { body: renamed(body), signature: sign(old, renamed(body)) }
  if (how === 'other-id') return { body, eventId: eventId(renamed(body)) }
  if (isUnproven(how)) return { body: renamed(body), signature: worthlessSignatures[how](sign(now, renamed(body))) }
  return { body }
}

const isUnproven = (how: string): how is keyof typeof worthlessSignatures => how in worthlessSignatures

async function postAll(context: PlayContext, posts: readonly PlannedPost[], onAnswer?: () => void): Promise<Answer[]> {
  const { application, flowSandbox, secret, timeoutMs, headers, network, signal, durations } = context
  const { handler } = application
  context.delivered += posts.length
  const elapsed = stopwatch()
  const note = () => {
    durations.push(elapsed())
    if (durations.length > 50) durations.shift()
  }
  if (typeof handler === 'function') {
    const { url: baseUrl, sandbox } = flowSandbox
    const environment = { baseUrl, apiKey: sandbox.apiKey, secret: secret.now }
    return Promise.all(posts.map((one) => answerOf(handler, one, environment).finally(onAnswer))).finally(note)
  }
  const url = new URL(handler)
  const receiver = { url, secret: secret.now, timeoutMs, headers, network, signal }
  const isCrowd = posts.length >= CROWD && posts.every(({ item }) => !item.planned.killsAt)
  const answers =
    isCrowd || posts.some(isHeld)
      ? await postTogether(receiver, posts)
      : await Promise.all(posts.map((one) => postBy(one)(receiver, one).finally(onAnswer)))
  if (posts.length < CROWD) note()
  return answers.map((answer) => noted(context, url, answer))
}

interface Answer extends Attempt {
  /** What a handler function has thrown. */
  thrown?: string
}

interface Attempted {
  answers: Answer[]
  /** The application was to be killed at a call, and made none. */
  isWithoutCall?: boolean
  /** Not all were answered while its calls had no answers. */
  isBlocked?: boolean
}

async function attempt(
  context: PlayContext,
  posts: readonly PlannedPost[],
  { killsAt, restartsAfter, failsCall }: PlannedDelivery,
): Promise<Attempted> {
  if (failsCall?.answer === 'late') return postBeforeAnswers(context, posts)
  if (killsAt === undefined)
    return { answers: await (restartsAfter === 'ending' ? postAtEnd : postAll)(context, posts) }
  if (isOfCall(killsAt)) return postAndKillAtCall(context, posts, killsAt)
  return { answers: await postAndKill(context, posts, killsAt) }
}

/** The time in which an application answers an event before its own call is answered, machine ms. */
const ANSWERED_MS = 1_000
/** The least time for its calls. */
const CALLS_MS = 200

/**
 * Posts the first event; while the call that it causes gets no answer, all others but one; and that one when their calls
 * wait as well.
 */
async function postBeforeAnswers(context: PlayContext, posts: readonly PlannedPost[]): Promise<Attempted> {
  const { flowSandbox, settleMs, timeoutMs, signal, seen } = context
  const goOn = flowSandbox.gate.pause()
  const after = (ms: number) => sleep(ms, signal).then(() => undefined)
  const posted: Promise<Answer[]>[] = []
  /** Returns whether they are answered in time; a function has no limit of its own. */
  const postInTime = async (some: readonly PlannedPost[], limitMs: number) => {
    const answering = postAll(context, some)
    // It may end later, when the search ends.
    answering.catch(() => {})
    posted.push(answering)
    const answers = await Promise.race([answering, after(limitMs)])
    return answers?.every(({ status, isDown }) => status !== null || isDown) ?? false
  }
  try {
    const isAnswered = await postInTime(posts.slice(0, 1), ANSWERED_MS)
    const elapsed = stopwatch()
    while (isAnswered && !flowSandbox.gate.isBusy && elapsed() < CALL_SETTLES * settleMs) await after(LOOK_EVERY_MS)
    // An application may answer after its own call.
    const isHeld = isAnswered && flowSandbox.gate.isBusy
    if (!isHeld) goOn()
    let isInTime = await postInTime(posts.slice(1, -1), timeoutMs)
    if (isHeld) await after(Math.max(CALLS_MS, Math.min(settleMs, seen.longestWorkMs)))
    isInTime = (await postInTime(posts.slice(1).slice(-1), timeoutMs)) && isInTime
    goOn()
    return { answers: (await Promise.all(posted)).flat(), isBlocked: isHeld && !isInTime }
  } finally {
    goOn()
  }
}

/** It arrives at the same instant as others. A kill counts from the post, so it is not held back there. */
const isHeld = ({ item: { planned } }: PlannedPost) =>
  (planned.how === 'overlapping' || planned.how === 'together') && !planned.killsAt

/** How it travels. A connection that stalls has sent half of the same event before. */
function postBy({ item: { planned } }: PlannedPost): typeof post {
  if (planned.how === 'closed') return postHalf
  if (planned.how === 'pieces') return postInPieces
  return planned.how === 'stalled' ? (receiver, one) => postBesideStalled(receiver, one, one) : post
}

/** The longest of the times after SIGTERM at which events arrive in turn, machine ms. */
const ENDING_MS = 16

/** Posts while the application ends after SIGTERM. What it refuses by then is repeated later. */
async function postAtEnd(context: PlayContext, posts: readonly PlannedPost[]): Promise<Attempt[]> {
  const { application, kills, life, signal } = context
  const ended = application.terminate && useLever(application.terminate)
  // It is awaited after the posts.
  ended?.catch(() => {})
  await sleep(ENDING_MS / 2 ** (kills.count++ % 4), signal)
  const answers = await postAll(context, posts)
  await ended
  life.isDown = false
  return answers
}

/** The share of the usual time of an answer after which the application is killed. */
const SHARES: Readonly<Record<Exclude<KillInstant, CallInstant>, number>> = { arrival: 0.1, work: 0.5, answer: 0.9 }

/** The number of answers in a crowd before a kill differs widely from one to the next. */
const KILL_STEP = 11

/** Kills the application while it works on deliveries. */
async function postAndKill(
  context: PlayContext,
  posts: readonly PlannedPost[],
  at: Exclude<KillInstant, CallInstant>,
): Promise<Attempt[]> {
  const { application, kills } = context
  const usual = usualAnswerMs(context) || 1
  // Each try comes a little later than the one before, so that a short window is met.
  const afterMs = usual * (SHARES[at] + (kills.count++ % 8) * 0.05)
  const elapsed = stopwatch()
  // In a crowd some are answered, some are worked on, and some wait.
  const answered = Promise.withResolvers<void>()
  let left = 1 + ((kills.count * KILL_STEP) % (CROWD - 1))
  const answering = postAll(context, posts, () => --left === 0 && answered.resolve())
  // They are awaited after the kill, and may end before it when the search ends.
  answering.catch(() => {})
  if (posts.length >= CROWD) await answered.promise
  else while (elapsed() < afterMs) await yieldToRequests()
  await useLever(application.kill!)
  const answers = await answering
  // It was killed by the explorer, so it has not ended by itself.
  context.life.isDown = false
  return answers
}

/** The wait for a call after the answer, in times for which a wrong belief is given. */
const CALL_SETTLES = 2

/** Kills the application while its first call is held. */
async function postAndKillAtCall(
  context: PlayContext,
  posts: readonly PlannedPost[],
  at: CallInstant,
): Promise<Attempted> {
  const { application, flowSandbox, settleMs, life } = context
  const call = flowSandbox.gate.hold(at)
  const isOver = Promise.withResolvers<void>()
  const answering = postAll(context, posts)
  let isWithoutCall = true
  let cancel = () => {}
  const noted = () => {
    // It may call later.
    cancel = deadline(CALL_SETTLES * settleMs, isOver.resolve)
  }
  answering.then(noted, isOver.resolve)
  try {
    await Promise.race([isOver.promise, call.reached.then(() => (isWithoutCall = false))])
    await useLever(application.kill!)
  } finally {
    call.end()
    await answering.finally(() => cancel())
  }
  life.isDown = false
  return { answers: await answering, isWithoutCall }
}

/** Throws where nothing has ever listened; a handler that dies later is a finding. */
function noted({ life }: PlayContext, url: URL, answer: Attempt): Attempt {
  if (!life.hasAnswered) requireConnection(url, answer)
  life.hasAnswered ||= !answer.isDown
  life.isDown = answer.isDown
  return answer
}

const WEBHOOK = { url: 'http://localhost/hook', method: 'POST' } as const
const NO_TIME = { durationMs: 0, isDown: false, error: null, answer: '' }

/** Calls a handler function like a server. */
async function answerOf(handler: HandlerFunction, posted: WebhookPost, environment: Environment): Promise<Answer> {
  const headers = inLowerCase(headersOf(environment, posted))
  try {
    return { ...NO_TIME, status: statusOf(await handler({ ...WEBHOOK, headers, body: posted.body }, environment)) }
  } catch (error) {
    return { ...NO_TIME, status: 500, thrown: String(error) }
  }
}

function statusOf(answer: unknown): number {
  const status = typeof answer === 'number' ? answer : ((answer as { status?: unknown } | undefined)?.status ?? 200)
  if (typeof status === 'number') return status
  throw new Error(`a handler answers with a status, not with ${JSON.stringify(answer)}`)
}
