import type { Server } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './servers.ts'

/** Lets a server listen until the test is over, and returns its address. */
export async function urlOf(server: SocketServer): Promise<string> {
  onTestFinished(() => void server.close())
  if ('closeAllConnections' in server) onTestFinished(() => (server as Server).closeAllConnections())
  return await listen(server)
}
