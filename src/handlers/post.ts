import type { ClientRequest } from 'node:http'
import { Limit } from '../http/limit.ts'
import { isThisMachine, lookupFor, requestFor } from '../http/request.ts'
import { sign } from '../http/signature.ts'
import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { webhookHeaders } from '../http/webhook-headers.ts'
import { type Attempt, DOWN, post as postBytes } from '../relay/forward.ts'

/** The handler under test. */
export interface Receiver {
  url: URL
  secret: string
  /** How long it may take to answer, in ms; 0 without end. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** What is posted, and how it differs from what the service would post. */
export interface Posted {
  eventId: string
  body: string
  /** Another signature than the right one; null posts none. */
  signature?: string | null | undefined
  attempt?: number | undefined
}

/** What came back, without knowing why it was asked. */
export type Answer = Attempt

/** Between the pieces of a body, so that they travel apart. */
const PAUSE_MS = 20

const headersOf = ({ secret }: Receiver, { eventId, body, signature, attempt = 1 }: Posted) =>
  webhookHeaders(eventId, signature === undefined ? sign(secret, body) : (signature ?? undefined), attempt)

/** POSTs a webhook; settles whatever comes back, and rejects only when the signal aborts. */
export const post = (receiver: Receiver, posted: Posted): Promise<Answer> =>
  postBytes(receiver, posted.body, headersOf(receiver, posted), receiver.signal ?? UNSTOPPED)

const UNSTOPPED = new AbortController().signal

/** What becomes of a body that is cut at a byte. */
export interface Cut {
  at: number
  /** Its second half follows, or never comes, because we hang up. */
  rest: 'follows' | 'never'
  /** What is done between the halves, besides letting a moment pass. */
  meanwhile?: (() => Promise<unknown>) | undefined
}

/** The same, with the body in two pieces. */
export async function postCut(receiver: Receiver, posted: Posted, { at, rest, meanwhile }: Cut): Promise<Answer> {
  const { timeoutMs, signal } = receiver
  const bytes = Buffer.from(posted.body)
  const limit = new Limit(timeoutMs, signal)
  const outgoing = begin(receiver, posted, bytes.length, limit.signal)
  const answer = answerOf(outgoing)
  await Promise.race([flushed(outgoing, bytes.subarray(0, at)), answer])
  await meanwhile?.()
  await moment()
  if (rest === 'never') outgoing.destroy()
  else outgoing.end(bytes.subarray(at))
  const ended = await answer
  limit.end()
  signal?.throwIfAborted()
  return ended
}

const flushed = (outgoing: ClientRequest, bytes: Buffer) =>
  new Promise<void>((resolve) => void outgoing.write(bytes, () => resolve()))

const moment = () => sleep(PAUSE_MS, UNSTOPPED)

/** Several at the same instant: the last byte of each is held until all others have arrived. */
export function postTogether(receiver: Receiver, posted: readonly Posted[]): Promise<Answer[]> {
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

/** On a connection of its own, which can be broken off. */
function begin(receiver: Receiver, posted: Posted, length: number, signal: AbortSignal): ClientRequest {
  const { url } = receiver
  const headers = { ...headersOf(receiver, posted), 'Content-Length': String(length) }
  const agent = isThisMachine(url) ? { agent: false } : {}
  return requestFor(url)(url, { method: 'POST', headers, signal, ...agent, ...lookupFor(url) })
}

function answerOf(outgoing: ClientRequest): Promise<Answer> {
  const elapsed = stopwatch()
  return new Promise((resolve) => {
    const end = (status: number | null, error: string | null, code = '') =>
      resolve({ status, durationMs: Math.round(elapsed()), error, answer: '', isDown: DOWN.has(code) })
    outgoing.on('response', (incoming) => {
      incoming.resume()
      end(incoming.statusCode!, null)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => end(null, error.message, error.code))
    outgoing.on('close', () => end(null, 'the connection was closed before an answer'))
  })
}

export const isAccepted = ({ status }: Pick<Answer, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** A refusal that says whose fault it is: a server error would be tried again for a day. */
export const isRefused = ({ status }: Pick<Answer, 'status'>): boolean =>
  status !== null && status >= 400 && status < 500
