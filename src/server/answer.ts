import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Problem, problem } from '../words/problem.ts'
import { Stream } from '../words/reply.ts'
import type { Head } from './admission.ts'
import type { Answered } from './exchange.ts'
import type { HttpAnswer } from './perform.ts'

/** Aborts when the caller has left or the server stops. */
export function leaving(res: ServerResponse, stopping: AbortSignal): AbortSignal {
  const left = new AbortController()
  res.once('close', () => left.abort())
  return AbortSignal.any([left.signal, stopping])
}

/** Promises its end only where the answer is a stream. */
export function write(
  res: ServerResponse & Answered,
  head: Head,
  { status, headers, body }: HttpAnswer,
  stopping: AbortSignal,
): Promise<void> | undefined {
  head['Cache-Control'] = 'no-store'
  if (body instanceof Stream) {
    if (res.req.method === 'HEAD') return void res.writeHead(status, { ...head, ...headers }).end()
    return writeStream(res, { ...head, ...headers }, body, stopping)
  }
  if (body !== undefined) head['Content-Length'] = Buffer.byteLength(body)
  res.writeHead(status, Object.assign(head, headers))
  end(res, head, body)
  return undefined
}

/** Ends an answer with its body. Text of nothing but ASCII is the same bytes in Latin-1, which Node writes faster. */
function end(res: ServerResponse & Answered, head: Head, body: string | Buffer | undefined) {
  res.answerBody = body
  res.end(body, head['Content-Length'] === body?.length ? 'latin1' : 'utf8')
}

async function writeStream(res: ServerResponse, head: Head, stream: Stream, stopping: AbortSignal) {
  res.writeHead(200, head)
  res.flushHeaders()
  const signal = leaving(res, stopping)
  await stream.run((chunk) => writeChunk(res, chunk, signal), signal)
  res.end()
}

/** Waits for a slow reader, so that nothing piles up in memory. */
async function writeChunk(res: ServerResponse, chunk: string, signal: AbortSignal) {
  if (signal.aborted || res.write(chunk)) return
  await once(res, 'drain', { signal }).catch(() => undefined)
}

/** The error envelope of interface §7. */
export function writeProblem(res: ServerResponse, head: Head, refusal: Problem) {
  if (typeof refusal.extra.retry_after === 'number') head['Retry-After'] = refusal.extra.retry_after
  if (typeof refusal.extra.allow === 'string') head.Allow = refusal.extra.allow
  if (refusal.status === 401) head['WWW-Authenticate'] = challengeOf(refusal)
  // The rest of a body that is too large is not waited for; nor is the next request by a server that stops.
  if (refusal.code === 'payload_too_large' || refusal.code === 'shutting_down') head.Connection = 'close'
  writeEnvelope(res, head, refusal.status, refusal.body)
}

/** Names the scheme that the caller must use (RFC 9110 §11.6.1). */
const challengeOf = ({ code }: Problem) =>
  code === 'control_token_required' ? 'X-Sandbox-Token realm="control plane"' : 'Bearer realm="messaging sandbox"'

export function writeEnvelope(
  res: ServerResponse & Answered,
  head: Head,
  status: number,
  envelope: Record<string, unknown>,
) {
  const body = JSON.stringify(envelope)
  head['Content-Type'] = 'application/json; charset=utf-8'
  head['Content-Length'] = Buffer.byteLength(body)
  res.writeHead(status, head)
  end(res, head, body)
}

/** Tells the caller of a fault that is not theirs. */
export const bug = (request_id: string): Problem =>
  problem(
    'internal_error',
    `The sandbox has a bug; nothing was changed. Report it with ${request_id} and the lines on stderr.`,
    { request_id },
  )
