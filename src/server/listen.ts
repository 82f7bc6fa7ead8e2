import { createServer, type RequestListener, type Server } from 'node:http'
import { after, yieldToRequests } from '../world/machine-time.ts'
import { answerUnreadable } from './unreadable.ts'

/** How long a stop waits for requests under way, in ms of the machine. */
const GRACE_MS = 5_000

/** How often a stop closes the connections whose last request, such as a stream, has ended meanwhile; in ms of the machine. */
const SWEEP_MS = 20

export class PortInUse extends Error {
  readonly port: number

  constructor(port: number) {
    super(`Port ${port} is in use.`)
    this.name = 'PortInUse'
    this.port = port
  }
}

export interface Place {
  port: number
  host: string | undefined
  /** The process may end while it listens. */
  staysInBackground: boolean
  /** Makes the id for an answer to bytes that are no request. */
  nextRequestId: () => string
}

export interface Listening {
  port: number
  /** Stops taking requests, lets those under way finish, then resolves. */
  close(): Promise<void>
}

/** "localhost" is ::1 on one machine and 127.0.0.1 on the next, so both are listened on, and the host beside them. */
export async function listen(
  handler: RequestListener,
  { port, host, staysInBackground, nextRequestId }: Place,
): Promise<Listening> {
  const servers: Server[] = []
  let boundPort = port
  try {
    for (const { address, optional } of addressesOf(host)) {
      // Without a Host header the request is refused like any other, in the envelope.
      const server = createServer({ requireHostHeader: false }, handler)
      answerUnreadable(server, nextRequestId)
      const taken = await bind(server, boundPort, address).catch((error: unknown) => {
        // Machines without IPv6 exist; and a port the system chose may be taken on the other loopback.
        if (optional && !(error instanceof PortInUse && port !== 0)) return undefined
        throw error
      })
      if (taken === undefined) continue
      boundPort = taken
      servers.push(server)
      if (staysInBackground) leaveToOthers(server)
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
  // These hold the loopback of their kind already; the wildcard of IPv6 takes IPv4 along.
  if (host === '::') return [{ address: host, optional: false }]
  if (host === '0.0.0.0') return [{ address: host, optional: false }, loopbacks[1]!]
  return [...loopbacks, { address: host, optional: false }]
}

function bind(server: Server, port: number, host: string): Promise<number> {
  // Test suites send long series of short requests on one connection.
  server.keepAliveTimeout = 65_000
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    )
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}

/** Lets the process end while the server listens. A client that waits for an answer keeps it alive. */
function leaveToOthers(server: Server) {
  server.unref()
  server.on('connection', (socket) => socket.unref())
}

async function shutAll(servers: readonly Server[]) {
  await Promise.all(servers.map(shut))
  // Clients in this process hear now that their connections are closed, and send the next server of this port nothing on them.
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
