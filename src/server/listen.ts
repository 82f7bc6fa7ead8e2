import { createServer, type RequestListener, type Server } from 'node:http'
import { after, yieldToRequests } from '../world/machine-time.ts'
import { answerUnreadable } from './unreadable.ts'

/** Time for pending requests when stopping, machine ms. */
const GRACE_MS = 1_000

/** Interval in which stopping closes idle connections, machine ms. */
const SWEEP_MS = 20

/**
 * The most connections that wait to be accepted; the system may set a lower limit. With Node's 511, a test suite that opened
 * 600 connections at once to a busy sandbox had some of them reset.
 */
const BACKLOG = 4_096

class PortInUse extends Error {
  readonly port: number

  constructor(port: number) {
    super(`Port ${port} is in use.`)
    this.name = 'PortInUse'
    this.port = port
  }
}

export interface ListenOptions {
  port: number
  host: string | undefined
  /** The server does not keep the process alive. */
  staysInBackground: boolean
  /** Creates the id for an answer to bytes that are not a valid request. */
  nextRequestId: () => string
}

export interface Listening {
  port: number
  /** Stops accepting, finishes pending requests, then resolves. */
  close(): Promise<void>
}

/** Listens on both loopback addresses, because "localhost" may resolve to either, and on `host`. */
export async function listen(
  handler: RequestListener,
  { port, host, staysInBackground, nextRequestId }: ListenOptions,
): Promise<Listening> {
  const servers: Server[] = []
  let boundPort = port
  try {
    for (const { address, optional } of addressesOf(host)) {
      // Requests without a Host header are refused with our envelope, not by Node.
      const server = createServer({ requireHostHeader: false }, handler)
      answerUnreadable(server, nextRequestId)
      endIdleConnections(server)
      // Test suites send long series of short requests on one connection. Within a test's process fake timers can leave
      // the other end of a connection open, which keeps the process alive as long as this.
      if (!staysInBackground) server.keepAliveTimeout = 65_000
      const chosenPort = await bind(server, boundPort, address).catch((error: unknown) => {
        // IPv6 may be missing, and a port chosen by the system may be in use on the other loopback.
        if (optional && !(error instanceof PortInUse && port !== 0)) return undefined
        throw error
      })
      if (chosenPort === undefined) continue
      boundPort = chosenPort
      servers.push(server)
      if (staysInBackground) unrefConnections(server)
    }
  } catch (error) {
    await Promise.all(servers.map(shut))
    throw error
  }
  return { port: boundPort, close: () => shutAll(servers) }
}

interface Address {
  address: string
  /** The server starts even when this address cannot be used. */
  optional: boolean
}

function addressesOf(host: string | undefined): Address[] {
  const loopbacks = [
    { address: '127.0.0.1', optional: false },
    { address: '::1', optional: true },
  ]
  if (host === undefined || host === 'localhost' || loopbacks.some(({ address }) => address === host)) return loopbacks
  // These include loopback; the IPv6 wildcard includes IPv4.
  if (host === '::') return [{ address: host, optional: false }]
  if (host === '0.0.0.0') return [{ address: host, optional: false }, loopbacks[1]!]
  return [...loopbacks, { address: host, optional: false }]
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays for later errors: at the limit of open files each failure to accept a connection is one, and without a listener it
    // would end the process. Such a connection waits until a file is closed.
    server.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    )
    server.listen(port, host, BACKLOG, () => resolve((server.address() as { port: number }).port))
  })
}

/**
 * Ends connections that are idle for too long. After a pause of the process, such as a breakpoint in a test, the time may be over
 * although the next request has arrived.
 */
function endIdleConnections(server: Server) {
  server.on('timeout', async (socket) => {
    const { bytesRead } = socket
    await untilRead()
    if (socket.bytesRead === bytesRead) socket.destroy()
  })
}

/** Lets the process end while the server listens. A client that waits for an answer keeps it alive. */
function unrefConnections(server: Server) {
  server.unref()
  server.on('connection', (socket) => socket.unref())
}

async function shutAll(servers: readonly Server[]) {
  await Promise.all(servers.map(shut))
  // Lets clients in this process notice closed connections before they reuse them for the next server on this port.
  await untilRead()
}

/** Waits until what has arrived on any connection was read. The first turn may be in the middle of that. */
async function untilRead() {
  await yieldToRequests()
  await yieldToRequests()
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = after(GRACE_MS, () => server.closeAllConnections())
    const sweep = () => {
      server.closeIdleConnections()
      callOff = after(SWEEP_MS, sweep)
    }
    let callOff = () => {}
    server.close(() => {
      giveUp()
      callOff()
      resolve()
    })
    sweep()
  })
}
