import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Problem, problem } from '../words/problem.ts'

/** A connection, on which Node keeps the answer that is in progress. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null }

/** Answers requests that Node rejects itself, with the envelope of interface §7 and a request id. */
export function answerUnreadable(server: Server, nextRequestId: () => string) {
  const refused = new WeakSet<Connection>()
  server.on('clientError', (error: NodeJS.ErrnoException, connection: Connection) => {
    // Everything after the first such bytes is an error too.
    if (refused.has(connection)) return
    refused.add(connection)
    const refuse = () => {
      const inProgress = connection._httpMessage
      // Earlier requests of the connection are answered first, because clients match answers to requests by their order.
      if (connection.writable && inProgress?.req.complete) return void inProgress.once('close', refuse)
      if (!connection.writable || inProgress?.headersSent || error.code === 'ECONNRESET') connection.destroy()
      else connection.end(answerTo(problemOf(error), nextRequestId()))
    }
    refuse()
  })
  server.on('connect', ({ url }: IncomingMessage, connection: Duplex) => {
    const refusal = problem('method_not_allowed', `This server is not a proxy: CONNECT ${url} is not possible.`)
    connection.end(answerTo(refusal, nextRequestId()))
  })
  // A request with an unknown expectation takes the usual way, and is refused there.
  const [handler] = server.listeners('request') as RequestListener[]
  if (handler) server.on('checkExpectation', handler)
}

function problemOf({ code, message }: NodeJS.ErrnoException): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers_too_large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return problem('payload_too_large', 'The extensions of a chunk are larger than 16 KiB. Send none.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout')
  if (code === 'HPE_INVALID_EOF_STATE')
    return problem('malformed_request', 'The connection was closed before the end of the request.')
  return problem('malformed_request', `The request is not valid HTTP/1.1: ${message.replace(/^Parse Error: /, '')}.`)
}

function answerTo(refusal: Problem, requestId: string): string {
  const body = JSON.stringify(refusal.body)
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
