import { createServer, type Socket } from 'node:net'
import { listen } from '../servers.ts'

export interface RawServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/hook` */
  readonly url: string
  /** How many connections were taken. */
  readonly connections: number
  /** How many requests came. */
  readonly requests: number
}

/** What is written to a caller, request by request; the number of the request on its connection counts from 1. */
export type Says = (socket: Socket, request: number) => void

/** A server that sends invalid answers. A request ends with an empty line or with the end of a JSON object. */
export async function startRawServer(says: Says): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const seen = { connections: 0, requests: 0 }
  const server = createServer((socket) => {
    let request = 0
    seen.connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      if (!/(\r\n\r\n|\})$/.test(chunk.toString())) return
      seen.requests++
      says(socket, ++request)
    })
  })
  return {
    url: `${await listen(server)}/hook`,
    get connections() {
      return seen.connections
    },
    get requests() {
      return seen.requests
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Writes the same text each millisecond until the other side closes the connection; more often would only heat the machine. */
export function dripping(socket: Socket, first: string, again: string) {
  const say = () => socket.writable && socket.write(again, () => setTimeout(say, 1))
  socket.write(first, say)
}

export const ok = (body = '') => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
