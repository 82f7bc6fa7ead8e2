import type { Server } from 'node:http'
import type { AddressInfo, Server as SocketServer } from 'node:net'

/** Lets a server listen, by default on a free port, and returns its address, which a server of HTTPS has with its own scheme. */
export async function listen(server: SocketServer, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return `http${'setSecureContext' in server ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends a server with its connections. */
export async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
