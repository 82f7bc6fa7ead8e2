import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../words/escape-html.ts'
import { LINK_PAGE_HEADERS, linkPage } from '../words/link-page.ts'
import { Problem, problem } from '../words/problem.ts'
import { Stream } from '../words/reply.ts'
import type { AnswerHead } from './admission.ts'
import type { AnswerNotes } from './exchange.ts'

export interface ActionAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  /** Text is fastest: Node sends it in one write with the head. */
  body: string | Buffer | Stream | undefined
}

/** A signal that aborts when the caller leaves or the server stops. */
export function leaving(res: ServerResponse, stopping: AbortSignal): AbortSignal {
  const left = new AbortController()
  res.once('close', () => left.abort())
  return AbortSignal.any([left.signal, stopping])
}

interface Gate {
  /** Aborts when the server stops. */
  stopping: AbortSignal
  /** See {@link World.whenShowable}. */
  whenShowable: () => Promise<void> | undefined
}

/** Writes an answer; returns a promise of its end for streams only. */
export function write(
  res: ServerResponse & AnswerNotes,
  head: AnswerHead,
  { status, headers, body }: ActionAnswer,
  gate: Gate,
): Promise<void> | undefined {
  head['Cache-Control'] = 'no-store'
  if (body instanceof Stream) {
    if (res.req.method === 'HEAD') {
      body.skip()
      return void res.writeHead(status, { ...head, ...headers }).end()
    }
    return writeStream(res, { ...head, ...headers }, body, gate)
  }
  if (body !== undefined) head['Content-Length'] = Buffer.byteLength(body)
  res.writeHead(status, Object.assign(head, headers))
  end(res, head, body)
  return undefined
}

/** Ends an answer. ASCII text is sent as Latin-1, which Node writes faster. */
function end(res: ServerResponse & AnswerNotes, head: AnswerHead, body: string | Buffer | undefined) {
  res.answerBody = body
  res.end(body, head['Content-Length'] === body?.length ? 'latin1' : 'utf8')
}

async function writeStream(res: ServerResponse, head: AnswerHead, stream: Stream, { stopping, whenShowable }: Gate) {
  res.writeHead(200, head)
  res.flushHeaders()
  const signal = leaving(res, stopping)
  const write = (chunk: string) => writeChunk(res, chunk, signal)
  await stream.run((chunk) => whenShowable()?.then(() => write(chunk)) ?? write(chunk), signal)
  res.end()
}

/** Waits for a slow reader, so that nothing piles up in memory. */
async function writeChunk(res: ServerResponse, chunk: string, signal: AbortSignal) {
  if (signal.aborted || res.write(chunk)) return
  await once(res, 'drain', { signal }).catch(() => undefined)
}

/** The error envelope of interface §7, or a page for a person who opened a link. */
export function writeProblem(res: ServerResponse, head: AnswerHead, refusal: Problem, { asPage = false } = {}) {
  if (typeof refusal.extra.retry_after === 'number') head['Retry-After'] = refusal.extra.retry_after
  if (typeof refusal.extra.allow === 'string') head.Allow = refusal.extra.allow
  if (refusal.status === 401) head['WWW-Authenticate'] = challengeOf(refusal)
  // A stopping server takes no further request. After other refusals, the rest of a body is read.
  if (refusal.code === 'shutting_down') head.Connection = 'close'
  if (asPage) writeText(res, Object.assign(head, LINK_PAGE_HEADERS), refusal.status, 'text/html', refusalPage(refusal))
  else writeEnvelope(res, head, refusal.status, refusal.body)
}

const refusalPage = ({ status, code, message }: Problem): string =>
  linkPage('This link did not work', `<p>${escapeHtml(message)}</p>\n  <p><small>${status} ${code}</small></p>`)

/** Names the scheme that the caller must use (RFC 9110 §11.6.1). */
const challengeOf = ({ code }: Problem) =>
  code === 'control_token_required' ? 'X-Sandbox-Token realm="control plane"' : 'Bearer realm="messaging sandbox"'

export const writeEnvelope = (
  res: ServerResponse & AnswerNotes,
  head: AnswerHead,
  status: number,
  envelope: Record<string, unknown>,
) => writeText(res, head, status, 'application/json', JSON.stringify(envelope))

function writeText(
  res: ServerResponse & AnswerNotes,
  head: AnswerHead,
  status: number,
  type: 'application/json' | 'text/html',
  body: string,
) {
  head['Content-Type'] = `${type}; charset=utf-8`
  head['Content-Length'] = Buffer.byteLength(body)
  res.writeHead(status, head)
  if (res.shouldKeepAlive || res.req.complete) end(res, head, body)
  else endAfterRequest(res, body)
}

/**
 * Answers a client that wants the connection closed, and closes it after the request. Many clients send their whole body
 * before they read the answer, and would get an error of the connection instead. Without this wish, Node reads the rest.
 */
function endAfterRequest(res: ServerResponse & AnswerNotes, body: string) {
  res.answerBody = body
  res.write(body)
  res.req.once('close', () => res.end()).resume()
}

/** The refusal for a failure; any but a Problem is a bug of the sandbox. */
export const refusalOf = (failure: unknown, request_id: string): Problem =>
  failure instanceof Problem
    ? failure
    : problem(
        'internal_error',
        `The sandbox has a bug; nothing was changed. Report it with ${request_id} and the lines on stderr.`,
        { request_id },
      )
