import { createServer, type RequestListener, type Server } from 'node:http'
import { after } from '../world/machine-time.ts'
import { isLoopback } from './guard.ts'

/** How long a stop waits for requests under way, in ms of the machine. */
const GRACE_MS = 5_000

export class PortInUse extends Error {
  readonly port: number

  constructor(port: number) {
    super(`Port ${port} is in use.`)
    this.name = 'PortInUse'
    this.port = port
  }
}

export interface Listening {
  port: number
  /** Stops taking requests, lets those under way finish, then resolves. */
  close(): Promise<void>
}

/** "localhost" is ::1 on one machine and 127.0.0.1 on the next, so both are listened on where both exist. */
export async function listen(handler: RequestListener, port: number, host: string | undefined): Promise<Listening> {
  const first = createServer(handler)
  const boundPort = await bind(first, port, host ?? '127.0.0.1')
  const servers = [first]
  if (host === undefined || (isLoopback(host) && host !== '::1')) {
    const second = createServer(handler)
    try {
      await bind(second, boundPort, '::1')
      servers.push(second)
    } catch (error) {
      // A port the system chose may be taken on the other loopback; then 127.0.0.1 alone serves.
      if (error instanceof PortInUse && port !== 0) {
        await shut(first)
        throw error
      }
    }
  }
  return { port: boundPort, close: () => Promise.all(servers.map(shut)).then(() => undefined) }
}

function bind(server: Server, port: number, host: string): Promise<number> {
  // A long streak of short requests on one connection is normal here.
  server.keepAliveTimeout = 65_000
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    )
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = after(GRACE_MS, () => server.closeAllConnections())
    server.close(() => {
      giveUp()
      resolve()
    })
    server.closeIdleConnections()
  })
}
