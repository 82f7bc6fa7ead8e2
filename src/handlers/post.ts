import type { ClientRequest } from 'node:http'
import { Unreachable } from '../http/exchange.ts'
import { inLowerCase } from '../http/in-process.ts'
import { Limit } from '../http/limit.ts'
import { lookupFor } from '../http/lookup.ts'
import { agentFor, type ConnectionSettings, requestFor } from '../http/request.ts'
import { sign } from '../http/signature.ts'
import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { webhookHeaders } from '../http/webhook-headers.ts'
import { type Attempt, DOWN, post as postBytes } from '../relay/forward.ts'

export { isAccepted } from '../relay/forward.ts'

/** The handler under test. */
export interface HandlerTarget {
  url: URL
  secret: string
  /** Time limit of an answer in ms; 0 means none. */
  timeoutMs: number
  /** Additional headers. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Proxy and certificates of the connection. */
  network?: ConnectionSettings | undefined
  signal?: AbortSignal | undefined
}

/** A webhook to post, with deviations from what the service posts. */
export interface WebhookPost {
  eventId: string
  body: string
  /** Replaces the signature; null omits it. */
  signature?: string | null | undefined
  attempt?: number | undefined
  /** Uses a connection of its own: of several processes at an address, another one may accept it. */
  isAlone?: boolean | undefined
  /** Spells the headers otherwise, with the same meaning. */
  hasOtherHeaders?: boolean | undefined
}

/** Pause between pieces of a body, so that they arrive separately. */
const PAUSE_MS = 20

export function headersOf(
  { secret }: Pick<HandlerTarget, 'secret'>,
  { eventId, body, signature = sign(secret, body), attempt = 1, hasOtherHeaders }: WebhookPost,
): Record<string, string> {
  const headers = webhookHeaders(eventId, signature ?? undefined, attempt)
  return hasOtherHeaders ? { ...inLowerCase(headers), 'content-type': 'application/json; charset=utf-8' } : headers
}

/** Posts a webhook. Resolves for any outcome, and rejects only when the signal aborts. */
export const post = (receiver: HandlerTarget, posted: WebhookPost): Promise<Attempt> =>
  postBytes(
    { ...receiver, headers: receiver.headers ?? {}, isAlone: posted.isAlone },
    posted.body,
    headersOf(receiver, posted),
    receiver.signal ?? UNSTOPPED,
  )

const UNSTOPPED = new AbortController().signal

/** Signatures that prove nothing, made of the right one. */
export const worthlessSignatures = {
  unsigned: () => null,
  empty: () => 'sha256=',
  truncated: (right: string) => right.slice(0, -32),
} as const

/** The place at which a body is split, and what follows. */
interface BodyCut {
  at: number
  /** The second half follows, or we hang up. */
  rest: 'follows' | 'never'
  /** Runs between the halves. */
  meanwhile?: (() => Promise<unknown>) | undefined
}

/** Closes the connection in the middle of the body. */
export const postHalf = (receiver: HandlerTarget, posted: WebhookPost): Promise<Attempt> =>
  postCut(receiver, posted, { at: middleOf(posted), rest: 'never' })

/** Posts a webhook in two pieces, cut inside its first character that has several bytes, if there is one. */
export const postInPieces = (
  receiver: HandlerTarget,
  posted: WebhookPost,
  meanwhile?: () => Promise<unknown>,
): Promise<Attempt> => {
  const inside = Buffer.from(posted.body).findIndex((byte) => byte >= 0x80) + 1
  return postCut(receiver, posted, { at: inside || middleOf(posted), rest: 'follows', meanwhile })
}

/** Processes behind one port get the connections in turn. */
const WORKERS = 4

/** Posts a webhook while another connection has sent half of one, and stays open without a time limit. No worker may wait for that. */
export async function postBesideStalled(
  receiver: HandlerTarget,
  stalled: WebhookPost,
  posted: WebhookPost,
): Promise<Attempt> {
  const answers: Attempt[] = []
  const meanwhile = async () => {
    answers.push(await post(receiver, posted))
    // The same event again without a proof changes nothing.
    const unproven = { ...posted, signature: worthlessSignatures.empty() }
    while (answers.at(-1)!.status !== null && answers.length < WORKERS) answers.push(await post(receiver, unproven))
  }
  await postCut({ ...receiver, timeoutMs: 0 }, stalled, { at: middleOf(stalled), rest: 'never', meanwhile })
  return answers.find(({ status }) => status === null) ?? answers[0]!
}

const middleOf = ({ body }: WebhookPost) => Math.floor(Buffer.byteLength(body) / 2)

/** Posts a webhook in two pieces. */
async function postCut(
  receiver: HandlerTarget,
  posted: WebhookPost,
  { at, rest, meanwhile }: BodyCut,
): Promise<Attempt> {
  const { timeoutMs, signal } = receiver
  const bytes = Buffer.from(posted.body)
  const limit = new Limit(timeoutMs, signal)
  const outgoing = openRequest(receiver, posted, bytes.length, limit.signal)
  const answer = answerOf(outgoing, limit.signal)
  await Promise.race([flushed(outgoing, bytes.subarray(0, at)), answer])
  await moment()
  await meanwhile?.()
  if (rest === 'never') outgoing.destroy()
  else outgoing.end(bytes.subarray(at))
  const ended = await answer
  limit.end()
  signal?.throwIfAborted()
  return ended
}

const flushed = (outgoing: ClientRequest, bytes: Buffer) =>
  new Promise<void>((resolve) => void outgoing.write(bytes, () => resolve()))

const moment = () => sleep(PAUSE_MS)

/** Posts several at the same instant: the last byte of each is held until all others have arrived. */
export function postTogether(receiver: HandlerTarget, posted: readonly WebhookPost[]): Promise<Attempt[]> {
  let underWay = posted.length
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const meanwhile = async () => {
    if (--underWay === 0) release()
    await released
  }
  return Promise.all(
    posted.map((one) => postCut(receiver, one, { at: Buffer.byteLength(one.body) - 1, rest: 'follows', meanwhile })),
  )
}

/** Uses a connection of its own, which can be broken. */
function openRequest(receiver: HandlerTarget, posted: WebhookPost, length: number, signal: AbortSignal): ClientRequest {
  const { url, network } = receiver
  const headers = { ...headersOf(receiver, posted), ...receiver.headers, 'Content-Length': String(length) }
  const agent = agentFor(url, { isAlone: true, network })
  return requestFor(url)(url, { method: 'POST', headers, signal, agent, ...lookupFor(url) })
}

/** Complete when its body is: a server that drips has not answered. */
function answerOf(outgoing: ClientRequest, limit: AbortSignal): Promise<Attempt> {
  const elapsed = stopwatch()
  return new Promise((resolve) => {
    const end = (status: number | null, error: string | null, code = '') =>
      resolve({ status, durationMs: Math.round(elapsed()), error, answer: '', isDown: DOWN.has(code) })
    outgoing.on('response', (incoming) => {
      incoming.resume().on('end', () => end(incoming.statusCode!, null))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => end(null, reasonOf(limit) ?? error.message, error.code))
    outgoing.on('close', () => end(null, reasonOf(limit) ?? 'the connection was closed before an answer'))
  })
}

const reasonOf = ({ aborted, reason }: AbortSignal) => (aborted ? (reason as Error).message : undefined)

/** Codes of a connection without TLS, over which no event has come. */
const NO_TLS = /CERT|LEAF_SIGNATURE|^EPROTO$|^ERR_(SSL|TLS)_/

/** Throws where nothing listens, or nothing with which TLS works. */
export function requireConnection(url: URL, { error, code = 'ECONNREFUSED', isDown }: Attempt) {
  if (!isDown && !NO_TLS.test(code)) return
  // The error of an attempt may name the address already, as Unreachable does.
  const reason = new Error(error!.replace(`${url.origin} cannot be reached: `, ''))
  throw new Unreachable(url, Object.assign(reason, { code }), false)
}

/** A 4xx: after a server error the service would retry for a day. */
export const isRefused = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== null && status >= 400 && status < 500
