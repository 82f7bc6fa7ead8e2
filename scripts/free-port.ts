import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range from which systems take ports of outgoing connections, so that none of these takes the port before its use. */
const FIRST = 12_000
/** Processes with near ids look in blocks of their own. */
const BLOCKS = 200
const BLOCK = 100

let next = 0

/** A port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (process.pid % BLOCKS) * BLOCK + (next++ % BLOCK)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (!isFree) continue
    await once(server, 'close')
    return port
  }
}
