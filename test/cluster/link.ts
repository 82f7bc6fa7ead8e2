import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../servers.ts'

/** A network link to PostgreSQL or to a node that can be cut: data in transit is lost, as in a network that drops packets. */
export async function linkTo(url: string, rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes) {
  let target = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  let isCut = false
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname)
    const pair = [inner, outer] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [outer, inner] as const]) {
      from.on('data', (bytes: Buffer) => to.write(rewrite(bytes)))
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        // Neither side of a cut link notices that the other one has gone.
        if (!isCut) to.destroy()
      })
    }
    if (isCut) for (const one of pair) one.pause()
  })
  const { port } = new URL(await listen(server))
  server.unref()
  const end = () => {
    for (const pair of pairs) for (const one of pair) one.destroy()
    server.close()
  }
  onTestFinished(end)
  const through = new URL(url)
  through.port = port
  return {
    url: String(through),
    leadTo(other: string) {
      target = new URL(other)
    },
    cut() {
      isCut = true
      for (const pair of pairs) for (const one of pair) one.pause()
    },
    heal() {
      isCut = false
      for (const pair of pairs) for (const one of pair) one.resume()
    },
  }
}
