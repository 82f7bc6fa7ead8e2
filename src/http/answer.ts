import type { IncomingMessage } from 'node:http'
import { agentFor, lookupFor, type Network, requestFor } from './request.ts'

export interface Outgoing {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** A connection of its own, which is closed after the answer. */
  isAlone?: boolean
  /** How other machines are reached; directly unless given. */
  network?: Network | undefined
}

/** How much of a body is passed over for a reader who wants the beginning of it. */
const MAX_DISCARDED_BYTES = 1024 * 1024

/** What is known of a request that got no answer. */
export interface RequestFailure {
  code?: string
  /** Somebody took the connection, and TLS is agreed on where it is used. */
  wasConnected?: boolean
  /** The connection was one of an earlier exchange. */
  wasReused?: boolean
}

/**
 * The head of an answer. Whatever comes back, it settles: a server may change to another protocol, send one interim answer
 * after the other, or go without a word. Nothing is waited for beyond `signal`.
 */
export function answerTo(
  { method, url, headers, body, isAlone = false, network }: Outgoing,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = requestFor(url)
  return new Promise((resolve, reject) => {
    const agent = agentFor(url, { isAlone, network })
    const outgoing = send(url, {
      method,
      headers,
      signal,
      ...(agent === undefined ? {} : { agent }),
      ...lookupFor(url),
    })
    outgoing.on('response', resolve)
    // A server that goes over to another protocol has answered; what follows is no HTTP.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve(incoming)
    })
    const told = { wasReused: false, wasConnected: false }
    outgoing.on('socket', (socket) => {
      told.wasReused = outgoing.reusedSocket
      told.wasConnected = !socket.connecting
      if (!socket.connecting) return
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        told.wasConnected = true
      })
    })
    outgoing.on('error', (error) => reject(Object.assign(error, told)))
    outgoing.on('close', () => reject(brokenOff()))
    outgoing.end(body)
  })
}

/** The connection was kept from an earlier exchange, and the server had closed it meanwhile. */
export const wasStale = (error: unknown): boolean => {
  const { code, wasReused } = error as RequestFailure
  return wasReused === true && (code === 'ECONNRESET' || code === 'EPIPE')
}

/** The body, or its first `keepBytes`. Of a body that goes on without end, a reader who keeps a part waits for no more. */
export function bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  keepBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  if (incoming.statusCode === 101) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const end = () => resolve(Buffer.concat(chunks))
    incoming.on('data', (chunk: Buffer) => {
      if (length < keepBytes) chunks.push(chunk.subarray(0, keepBytes - length))
      length += chunk.length
      if (length < keepBytes + MAX_DISCARDED_BYTES) return
      end()
      incoming.destroy()
    })
    incoming.on('end', end)
    incoming.on('error', reject)
    incoming.on('close', () => reject(brokenOff()))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const brokenOff = () => Object.assign(new Error('the connection ended before the answer did'), { code: 'ECONNRESET' })
