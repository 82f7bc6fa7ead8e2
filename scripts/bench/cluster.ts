import { join } from 'node:path'
import { createClient } from '../../src/index.ts'
import { apiKeyOf } from '../../src/words/api-key.ts'
import { startPostgres } from '../cluster/postgres.ts'
import { alternate, latencies, latenciesDuring, median, type Request, send, throughput } from './load.ts'
import { type Running, startSandbox } from './processes.ts'

const WORLD_BYTES = 10_000_000
const CONNECTIONS = 256
const LONG_TEXT = 'Your order is on its way. '.repeat(80)

interface ClusterFigures {
  /** The longest answer during each move of a world of 10 MB, and the median of others, ms. */
  readonly moves: readonly number[]
  readonly read: number
  /** One send after another, median, ms. */
  readonly single: Pair
  /** Acknowledged sends to one world a second. */
  readonly oneWorld: Pair
  /** Three worlds, at one node and at three. CPU of the nodes in ms for each send. */
  readonly oneNode: Rate
  readonly threeNodes: Rate
  /** Resident memory of a node with 300 worlds, bytes. */
  readonly memory: number
}

/** A node of a cluster, and a sandbox without one. */
interface Pair {
  readonly on: number
  readonly without: number
}

interface Rate {
  readonly perSecond: number
  readonly cpuMs: number
}

interface Options {
  folder: string
  world: string
  request: Request
}

/** Measures nodes against one PostgreSQL, which writes to its disk. */
export async function measureCluster({ folder, world, request }: Options): Promise<ClusterFigures> {
  const postgres = await startPostgres(['-c', 'fsync=on', '-c', 'max_connections=200'])
  const flags = ['--world', world, '--no-rate-limit', '--clock', 'frozen']
  let count = 0
  const start = async (url: string, ...more: string[]) => {
    const name = `n${++count}`
    return startSandbox(...flags, '--cluster', url, '--node', name, '--data', join(folder, name), ...more)
  }
  const stopAll = (nodes: readonly Running[]) => Promise.all(nodes.map((node) => node.stop()))
  try {
    const first = await start(await postgres.database())
    const alone = await startSandbox(...flags, '--data', join(folder, 'alone'))
    const single = async ({ port }: Running) => median(await latencies(port, Array(150).fill(request)))
    const many = ({ port }: Running) => throughput(port, request, CONNECTIONS, 2_000)
    const both = await alternate(4, {
      singleWithout: () => single(alone),
      singleOn: () => single(first),
      manyWithout: () => many(alone),
      manyOn: () => many(first),
    })
    await stopAll([first, alone])
    const moved = await postgres.database()
    const two = [await start(moved), await start(moved)]
    const moves = await measureMoves(two, request)
    await stopAll(two)
    const url = await postgres.database()
    const keys = ['one', 'two', 'three'].map(apiKeyOf)
    const nodes = [await start(url)]
    const rates = async () => {
      const loads = keys.map((key, i) => [nodes[i % nodes.length]!, { ...request, key }] as const)
      const { found } = await alternate(3, { found: () => rateOf(loads) })
      return found.toSorted((a, b) => a.perSecond - b.perSecond)[1]!
    }
    const oneNode = await rates()
    await stopAll(nodes.splice(0))
    for (const _ of keys) nodes.push(await start(url))
    const threeNodes = await rates()
    await stopAll(nodes)
    const memory = await memoryOf300(await start(await postgres.database(), '--max-open-namespaces', '300'), request)
    return {
      ...moves,
      single: { on: median(both.singleOn), without: median(both.singleWithout) },
      oneWorld: { on: median(both.manyOn), without: median(both.manyWithout) },
      ...{ oneNode, threeNodes, memory },
    }
  } finally {
    await postgres.stop()
  }
}

const keyOf = (n: number) => `sk_sandbox_world-${n}`

/** Moves a world back and forth, while its events are asked for one after another. */
async function measureMoves(nodes: readonly Running[], request: Request) {
  const [one] = nodes as [Running]
  const body = JSON.stringify({ ...JSON.parse(request.body!), content: { text: LONG_TEXT } })
  const long = { ...request, body, key: 'sk_sandbox_large' }
  while ((await sizeOf(one)) < WORLD_BYTES) await send(one.port, long, 8, 500)
  const small: Request = { method: 'GET', path: '/v1/messages?limit=1', key: long.key }
  const read = median(await latencies(one.port, Array(100).fill(small)))
  const moves: number[] = []
  for (let i = 0; i < 8; i++) {
    const to = `n${i % 2 === 0 ? 3 : 2}`
    const move = clientOf(one, 'default').cluster.move('large', { to })
    const moved = move.then(() => latencies(one.port, [small]))
    moves.push(Math.max(...(await latenciesDuring(one.port, small, moved))))
  }
  return { moves, read }
}

async function sizeOf(node: Running): Promise<number> {
  const { snapshots } = clientOf(node, 'large')
  const { bytes } = await snapshots.save({ name: 'size' })
  await snapshots.delete('size')
  return bytes
}

const clientOf = ({ port }: Running, namespace: string) =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: apiKeyOf(namespace) })

/** Loads each world at its node. */
async function rateOf(loads: readonly (readonly [Running, Request])[]): Promise<Rate> {
  const nodes = [...new Set(loads.map(([node]) => node))]
  const cpu = () => nodes.reduce((sum, node) => sum + node.cpu(), 0)
  const [before, from] = [cpu(), performance.now()]
  const each = await Promise.all(loads.map(([{ port }, request]) => throughput(port, request, CONNECTIONS / 4, 3_000)))
  const perSecond = each.reduce((sum, rate) => sum + rate, 0)
  return { perSecond, cpuMs: (cpu() - before) / ((perSecond * (performance.now() - from)) / 1_000) }
}

async function memoryOf300(node: Running, request: Request): Promise<number> {
  for (let n = 0; n < 300; n++) {
    const key = keyOf(n)
    await send(node.port, { ...request, key }, 1, 20)
    await send(node.port, { method: 'GET', path: '/v1/messages', key }, 1, 1)
  }
  const memory = node.memory()
  await node.stop()
  return memory
}
