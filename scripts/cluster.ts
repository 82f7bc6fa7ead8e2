/**
 * node scripts/cluster.ts [--kills 300] [--pauses 100] [--restarts 10] [--failovers 20] [--seed 1]: breaks a cluster of three
 * nodes under load, and compares the answers with what the worlds contain. Needs a build.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { History } from './cluster/history.ts'
import { finalWorld, Load } from './cluster/load.ts'
import { Nodes } from './cluster/nodes.ts'
import { type PostgresServer, startPostgres } from './cluster/postgres.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    pauses: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '10' },
    failovers: { type: 'string', default: '20' },
    port: { type: 'string', default: '28100' },
  },
})
const times = (name: 'kills' | 'pauses' | 'restarts' | 'failovers') => Number(values[name])
const NAMESPACES = ['one', 'two', 'three', 'four', 'five', 'six']
const NODES = 3

const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const between = (from: number, to: number) => from + Math.random() * (to - from)
const anyNode = () => Math.floor(Math.random() * NODES)

/** With a standby, which every commit waits for. */
const SYNCHRONOUS = ['-c', 'synchronous_standby_names=standby', '-c', 'max_wal_senders=4']
const hasFailovers = times('failovers') > 0
let primary = await startPostgres(hasFailovers ? SYNCHRONOUS.slice(2) : [])
const database = await primary.database()
let standby: PostgresServer | undefined
/** A relay would hide the address; nodes get all addresses that will be used. */
const nodes = new Nodes({
  postgres: hasFailovers ? await withFailover(database) : database,
  world: richWorld(),
  ports: Array.from({ length: NODES }, (_, i) => Number(values.port) + i),
})
// A run that is stopped leaves nothing behind.
process.once('SIGTERM', () => nodes.stopAll().then(() => process.exit(143)))
await nodes.startAll()
/** Where requests are sent. */
let entrance = () => nodes.urlOf(anyNode())
const history = new History()
const load = new Load({ namespaces: NAMESPACES, history, anyUrl: () => entrance(), everyMs: 5 })
const takeovers: number[] = []
await rest(2_000)

try {
  await repeat('kills', async () => {
    const index = anyNode()
    await nodes.end(index, 'SIGKILL')
    takeovers.push(await untilAllAnswer())
    await nodes.start(index)
    await rest(between(0, 1_500))
  })
  await repeat('pauses', async () => {
    const index = anyNode()
    nodes.signal(index, 'SIGSTOP')
    await rest(between(5_000, 15_000))
    nodes.signal(index, 'SIGCONT')
    await rest(between(500, 3_000))
  })
  if (times('restarts') > 0) await restartBehindBalancer()
  await repeat('failovers', failOver)
  await untilAllAnswer()
  await load.stop()
  // Everything scheduled is done, so that no charge is missing.
  await rest(15_000)
  for (const namespace of NAMESPACES) history.check(namespace, await finalWorld(nodes.urlOf(anyNode()), namespace))
} finally {
  await nodes.stopAll()
  await standby?.stop()
  await primary.stop()
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
process.exitCode = history.findings.length > 0 ? 1 : 0

async function repeat(name: 'kills' | 'pauses' | 'restarts' | 'failovers', work: () => Promise<void>) {
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
  standby = await primary.standby(SYNCHRONOUS)
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
  standby = await primary.standby(SYNCHRONOUS, port)
  takeovers.push(await untilAllAnswer())
}

/** A world file with more money than a run can spend. */
function richWorld(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'sandbox-world-')), 'world.yaml')
  const text = readFileSync(new URL('../fixtures/worlds/default.yaml', import.meta.url), 'utf8')
  writeFileSync(path, text.replace(/balance: 1000$/m, 'balance: 100000'))
  return path
}
