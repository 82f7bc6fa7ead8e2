import type { IncomingMessage } from 'node:http'
import { brokenOff } from './broken-off.ts'
import { lookupFor } from './lookup.ts'
import { addressRefusal, lookupPublic } from './public-address.ts'
import { agentFor, type ConnectionSettings, publicAgentFor, requestFor } from './request.ts'

export interface Outgoing {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Uses a new connection and closes it after the answer. */
  isAlone?: boolean
  /** Refuses to connect to loopback, private and link-local addresses. */
  isPublicOnly?: boolean | undefined
  /** Proxies and certificates; direct connections by default. */
  network?: ConnectionSettings | undefined
}

/** Bytes of a body that are read and discarded beyond the kept part. */
const MAX_DISCARDED_BYTES = 1024 * 1024

/** Facts about a request without an answer. */
export interface RequestFailure {
  code?: string
  /** The connection was established, including TLS. */
  wasConnected?: boolean
  /** The connection was reused. */
  wasReused?: boolean
}

/**
 * Resolves with the head of an answer. A server may switch protocols, send endless interim answers or be silent;
 * `signal` limits all of that.
 */
export async function answerTo(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await answerBy(undefined, outgoing, signal)
  } catch (error) {
    // A server may listen on one of the loopback addresses only.
    if ((error as RequestFailure).code !== 'ECONNREFUSED' || outgoing.url.hostname !== 'localhost') throw error
    return answerBy(6, outgoing, signal).catch((other: RequestFailure) => {
      throw other.wasConnected ? other : error
    })
  }
}

function answerBy(
  family: 6 | undefined,
  { method, url, headers, body, isAlone = false, isPublicOnly = false, network }: Outgoing,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = requestFor(url)
  return new Promise((resolve, reject) => {
    const refusal = isPublicOnly ? addressRefusal(url) : undefined
    if (refusal) return reject(Object.assign(refusal, { wasConnected: false }))
    const agent = isPublicOnly ? publicAgentFor(url) : agentFor(url, { isAlone, network })
    const outgoing = send(url, {
      method,
      headers,
      family,
      ...(agent === undefined ? {} : { agent }),
      ...(isPublicOnly ? { lookup: lookupPublic } : lookupFor(url)),
    })
    // Node's own option `signal` costs half as much as the rest of the exchange (`npm run bench webhooks`).
    const abort = () => void outgoing.destroy()
    signal.addEventListener('abort', abort)
    let isAnswered = false
    outgoing.on('response', (incoming) => {
      isAnswered = true
      resolve(incoming)
    })
    // A protocol switch counts as the answer; what follows is not HTTP.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve(incoming)
    })
    const connection = { wasReused: false, wasConnected: false }
    outgoing.on('socket', (socket) => {
      connection.wasReused = outgoing.reusedSocket
      // Without a route to the address, the socket has failed already.
      connection.wasConnected = !socket.connecting && !socket.destroyed
      if (!socket.connecting) return
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connection.wasConnected = true
      })
    })
    outgoing.on('error', (error) => reject(Object.assign(error, connection)))
    outgoing.on('close', () => {
      signal.removeEventListener('abort', abort)
      if (!isAnswered) reject(brokenOff())
    })
    outgoing.end(body)
    if (signal.aborted) abort()
  })
}

/** A reused connection that the server had closed meanwhile. */
export const wasStale = (error: unknown): boolean => {
  const { code, wasReused } = error as RequestFailure
  return wasReused === true && (code === 'ECONNRESET' || code === 'EPIPE')
}

/** Reads the body, or its first `keepBytes` without waiting for an endless rest. */
export function bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  keepBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  if (incoming.statusCode === 101) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let isOver = false
    const end = () => {
      isOver = true
      resolve(Buffer.concat(chunks))
    }
    incoming.on('data', (chunk: Buffer) => {
      if (length < keepBytes) chunks.push(chunk.subarray(0, keepBytes - length))
      length += chunk.length
      if (length < keepBytes + MAX_DISCARDED_BYTES) return
      end()
      incoming.destroy()
    })
    incoming.on('end', end)
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!isOver) reject(brokenOff())
    })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
