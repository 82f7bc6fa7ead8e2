import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sandbox } from '../src/index.ts'
import { campaignTo } from './bench/campaign.ts'
import { measureCluster } from './bench/cluster.ts'
import { advanceOver } from './bench/due.ts'
import { exploreVariants } from './bench/fair.ts'
import { frameworks } from './bench/handlers.ts'
import { firstPaint, longList, withoutInspector } from './bench/inspector.ts'
import { alternate, atRate, latencies, median, type Request, send, throughput, underLoad } from './bench/load.ts'
import { lengthen } from './bench/long-log.ts'
import { dataIn, makingOfOne, memoryOfMany, restoring } from './bench/namespaces.ts'
import { startPeers } from './bench/peers.ts'
import {
  BIN,
  BINARY,
  cpuMsOf,
  FIRST_USE,
  runTime,
  startBinary,
  startExpress,
  startReceiver,
  startSandbox,
  suiteWorker,
} from './bench/processes.ts'
import { tabulate } from './bench/receivers.ts'
import { sustained } from './bench/sustained.ts'
import { above, add, atLeast, atMost, below, megabytes, ms, perSecond, print, seconds, tell } from './bench/table.ts'
import { type Hunt, tallyOf } from './bench/tally.ts'
import { richWorld, scratch } from './bench/worlds.ts'

/** Keeps every server busy. */
const CONNECTIONS = 32
const folder = await scratch()
const world = richWorld(folder)
const sendRequest: Request = {
  method: 'POST',
  path: '/v1/messages',
  body: JSON.stringify({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
    to: '+491713920000',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Your order is on its way' },
  }),
}

/** Starts a sandbox with data of its own on disk and money for every send. */
const startOnDisk = (name: string, ...flags: string[]) =>
  startSandbox('--world', world, '--data', join(folder, name), '--no-rate-limit', ...flags)

const bareExpress = (port: number) => throughput(port, sendRequest, CONNECTIONS, 1_500)

async function startTimes() {
  const readyWith = (start: typeof startSandbox, first?: Request) => async () => {
    const sandbox = await start('--data', join(folder, `start-${Math.round(performance.now())}`))
    if (first) await send(sandbox.port, first, 1, 1)
    const took = first ? sandbox.age() : sandbox.readyMs
    await sandbox.stop()
    return took
  }
  const sandbox = await startSandbox('--memory')
  const there = ['--base-url', `http://localhost:${sandbox.port}`]
  const times = await alternate(11, {
    bare: () => runTime(['-e', '0']),
    ready: readyWith(startSandbox),
    firstHealth: readyWith(startSandbox, { method: 'GET', path: '/_sandbox/health' }),
    firstSend: readyWith(startSandbox, sendRequest),
    version: () => runTime([BIN, '--version']),
    help: () => runTime([BIN, '--help']),
    sendCommand: () => runTime([BIN, 'send', '+491713920000', '--text', 'Hi', ...there]),
    firstUse: () => runTime([FIRST_USE]),
    ...(existsSync(BINARY) && { binary: readyWith(startBinary) }),
  })
  await sandbox.stop()
  const [bare, ready] = [median(times.bare), median(times.ready)]
  atMost('start to ready', ready, bare, 6, ms, 'node -e 0')
  // A start must not shift its work to the first caller.
  tell('start to the answer of a health right after', median(times.firstHealth), bare, ms, 'node -e 0')
  atMost('start to the answer of a send right after', median(times.firstSend), bare, 3, ms, 'node -e 0')
  atMost('library read, sandbox made, first send answered', median(times.firstUse), bare, 3, ms, 'node -e 0')
  if (times.binary) atMost('start to ready, binary', median(times.binary), ready, 2, ms, 'npm version')
  atMost('sandbox --version', median(times.version), bare, 2, ms, 'node -e 0')
  atMost('sandbox --help', median(times.help), bare, 1.5, ms, 'node -e 0')
  atMost('sandbox send', median(times.sendCommand), bare, 2, ms, 'node -e 0')
}

async function sendThroughput(what: string, factor: number, ...flags: string[]) {
  const express = await startExpress()
  const sandbox = await startOnDisk(what.replace(/\W+/g, '-'), ...flags)
  const { ours, theirs } = await alternate(5, {
    theirs: () => bareExpress(express.port),
    ours: () => throughput(sandbox.port, sendRequest, CONNECTIONS, 1_500),
  })
  await Promise.all([express.stop(), sandbox.stop()])
  atLeast(what, median(ours), median(theirs), factor, perSecond, 'bare Express')
}

/** On a running clock the steps of a message count too: a sandbox that answers and falls behind is not fast. */
async function sustainedSends() {
  const express = await startExpress()
  const sandbox = await startOnDisk('sustained')
  const { ours, theirs } = await alternate(3, {
    theirs: () => bareExpress(express.port),
    ours: () => sustained(sandbox.port, sendRequest, CONNECTIONS, 5_000),
  })
  const value = median(ours.map(({ perSecond }) => perSecond))
  const p99Ms = await atRate(sandbox.port, sendRequest, value / 2, 5_000)
  await Promise.all([express.stop(), sandbox.stop()])
  atLeast('send, running clock, on disk, all steps included', value, median(theirs), 0.4, perSecond, 'bare Express')
  const late = Math.max(...ours.map(({ latenessMs }) => latenessMs))
  below('lateness of due steps meanwhile, 99th percentile', late, 250, ms, 'the highest rate of sends')
  below('the slowest hundredth of answers at half of this rate', p99Ms, 10, ms, perSecond(value / 2))
}

/** Only the one that is measured runs. */
async function besidePeers() {
  const sandbox = await startOnDisk('peers')
  const peers = await startPeers(sendRequest, sandbox.port + 1, CONNECTIONS)
  const { ours, ...theirs } = await alternate<Record<string, number>>(3, {
    ...Object.fromEntries(peers.map((peer) => [peer.name, () => peer.perSecond(3_000)])),
    ours: async () => (await sustained(sandbox.port, sendRequest, CONNECTIONS, 5_000)).perSecond,
  })
  await sandbox.stop()
  for (const peer of peers) peer.stop()
  for (const [name, rates] of Object.entries(theirs))
    atLeast(`send, running clock, all steps included, ÷ ${name}`, median(ours!), median(rates), 1.05, perSecond, name)
}

/** Every event of every message goes to ten receivers that take it: some forty exchanges for each send. */
async function withWebhooks() {
  const [express, receiver] = [await startExpress(), await startReceiver()]
  const sandbox = await startOnDisk('webhooks')
  const url = (n: number) => `http://127.0.0.1:${receiver.port}/${n}`
  for (let n = 0; n < 10; n++) {
    const body = JSON.stringify({ url: url(n), events: ['*'] })
    await send(sandbox.port, { method: 'POST', path: '/v1/webhooks', body }, 1, 1)
  }
  const received = async () => Number(await (await fetch(url(0))).text())
  const { ours, theirs } = await alternate(5, {
    theirs: () => bareExpress(express.port),
    async ours() {
      const before = await received()
      const load = await underLoad(sandbox.port, sendRequest, CONNECTIONS, 1_500)
      return { ...load, deliveries: (await received()) - before }
    },
  })
  await Promise.all([express.stop(), sandbox.stop(), receiver.stop()])
  const value = median(ours.map(({ perSecond }) => perSecond))
  const what = 'send, running clock, on disk, ten live webhooks beside it'
  atLeast(what, value, median(theirs), 0.3, perSecond, 'bare Express')
  const deliveries = median(ours.map(({ deliveries }) => deliveries / 1.5))
  tell('deliveries meanwhile', deliveries, value, perSecond, 'sends')
  const slow = median(ours.map(({ p99Ms }) => p99Ms))
  below('the slowest hundredth of these answers', slow, 50, ms, `${CONNECTIONS} connections`)
}

/** V8 gives memory back in this time. */
const REST_MS = 10_000

async function memory(messages: number, mostMB: number) {
  const sandbox = await startOnDisk(`memory-${messages}`)
  const before = sandbox.memory()
  await send(sandbox.port, sendRequest, CONNECTIONS, messages)
  const after = sandbox.memory()
  await pause(REST_MS)
  const atRest = sandbox.memory()
  await sandbox.stop()
  const against = `at start, ${megabytes(atRest)} after ${REST_MS / 1_000} s of rest`
  const what = `memory after ${messages.toLocaleString('en')} messages`
  tell(what, after, before, megabytes, against, { target: `≤ ${mostMB} MB`, ok: after <= mostMB * 1e6 })
}

/** Creates a data folder with this number of read messages; returns it with ids of some of them. */
async function longLog(messages: number): Promise<{ data: string; ids: string[] }> {
  const data = join(folder, `log-${messages}`)
  const seed = await startSandbox('--world', world, '--data', data, '--clock', 'frozen')
  await send(seed.port, sendRequest, 1, 10)
  await send(seed.port, { method: 'POST', path: '/_sandbox/clock/advance', body: '{"by":"1m"}' }, 1, 1)
  await seed.stop()
  return { data, ids: lengthen(join(data, 'default.db'), messages) }
}

async function readsAt(messages: number): Promise<{ list: number; get: number }> {
  const { data, ids } = await longLog(messages)
  const sandbox = await startSandbox('--data', data, '--no-rate-limit')
  const list = Array.from({ length: 200 }, () => ({ method: 'GET', path: '/v1/messages?limit=50' }))
  const get = ids.map((id) => ({ method: 'GET', path: `/v1/messages/${id}` }))
  await latencies(sandbox.port, [...list, ...get])
  const found = { list: median(await latencies(sandbox.port, list)), get: median(await latencies(sandbox.port, get)) }
  await sandbox.stop()
  return found
}

async function reads() {
  const short = await readsAt(1_000)
  const long = await readsAt(1_000_000)
  atMost('list at 1,000,000 messages', long.list, short.list, 1.5, ms, 'at 1,000')
  atMost('get at 1,000,000 messages', long.get, short.get, 1.5, ms, 'at 1,000')
}

async function dueRows(where: string, atLeast: number, ...flags: string[]) {
  const sandbox = await startSandbox(...flags, '--clock', 'frozen', '--world', world, '--no-rate-limit')
  const { rounds } = await alternate(3, { rounds: () => advanceOver(sandbox.port, 20_000, sendRequest) })
  await sandbox.stop()
  const rate = median(rounds.map(({ perSecond }) => perSecond))
  const what = `due steps (dispatch, delivery, read) in one advance, ${where}`
  above(what, rate, atLeast, perSecond, `${rounds[0]!.rows} rows in one advance`)
  const slowest = Math.max(...rounds.map(({ slowestHealth }) => slowestHealth))
  below('slowest health meanwhile', slowest, 100, ms)
}

async function campaign(contacts: number) {
  const data = join(folder, `campaign-${contacts}`)
  const sandbox = await startSandbox('--data', data, '--clock', 'frozen', '--world', world)
  const { sent, generatedMs, advancedMs, slowestHealth, memory } = await campaignTo(contacts, sandbox)
  await sandbox.stop()
  const mostMs = contacts / 25
  below(`${sent} contacts with consent generated`, generatedMs, mostMs / 2, seconds)
  below('a campaign to them in one advance', advancedMs, mostMs, seconds)
  below('slowest health meanwhile', slowestHealth, 100, ms)
  below('the most memory meanwhile', memory, 250e6, megabytes)
}

const builtLibrary = (): Promise<typeof import('../src/index.ts')> =>
  import(new URL('../dist/index.js', import.meta.url).href)

async function library() {
  const { createSandbox } = await builtLibrary()
  const once = async (use?: (sandbox: Sandbox) => Promise<unknown>) => {
    const from = performance.now()
    const sandbox = await createSandbox()
    const took = performance.now() - from
    await use?.(sandbox)
    await sandbox.stop()
    return took
  }
  let firstSend = 0
  const first = await once(async ({ client }) => {
    const from = performance.now()
    await client.messages.send(JSON.parse(sendRequest.body!))
    firstSend = performance.now() - from
  })
  const { typical } = await alternate(20, { typical: () => once() })
  below('createSandbox(), first call', first, 15, ms, 'module loaded')
  // The first send loads modules that the start leaves out.
  add({ what: 'the first send after it', measured: ms(firstSend), baseline: 'module loaded' })
  below('createSandbox(), median', median(typical), 15, ms, 'module loaded')
}

/** Measures a namespace by the time of its first request less that of its second, as requests take time of their own. */
async function namespaces() {
  for (const [where, most, flags] of [
    ['in memory', 2, ['--memory']],
    ['on disk', 5, dataIn(folder)],
  ] as const) {
    const { making, asking } = await makingOfOne(...flags)
    below(`namespace made on first use, ${where}`, making, most, ms, `${ms(asking)} a request`)
  }
  // The first is for statements compiled late, the second for eviction, the third for the page caches that share memory.
  for (const [count, messages, mostMB] of [
    [200, 20, 300],
    [600, 1, 250],
    [100, 1_500, 600],
  ] as const) {
    const { before, after } = await memoryOfMany(count, messages, sendRequest)
    const what = `memory with ${count} namespaces of ${messages} ${messages === 1 ? 'message' : 'messages'}`
    tell(what, after, before, megabytes, 'at start', { target: `< ${mostMB} MB`, ok: after < mostMB * 1e6 })
  }
}

async function snapshots() {
  below('restore of 1,000 messages, in memory', await restoring(1_000, sendRequest), 10, ms, 'HTTP included')
}

/** Measures the cost of the page at /, for those who open it and those who do not. */
async function inspector() {
  const ready = async () => {
    const sandbox = await startSandbox('--memory')
    await sandbox.stop()
    return sandbox.readyMs
  }
  const { having, lacking } = await alternate(9, { having: ready, lacking: () => withoutInspector(ready) })
  atMost('start to ready, with the inspector', median(having), median(lacking), 1.1, ms, 'without it')
  const look = await firstPaint()
  if (!look) return
  tell('start to the first paint of the inspector', look.ready + look.paint, look.ready, ms, 'to ready')
  tell('memory after four looks at the inspector', look.after, look.before, megabytes, 'after one')
  const { data } = await longLog(100_000)
  const { firstRows, p95 } = (await longList(data))!
  below('first rows of 100,000 messages', firstRows, 500, ms)
  below('frame while they are scrolled, p95', p95, 32, ms)
}

/** `npm run bench -- fair --runs 200` */
const RUNS = Number(/ --runs[= ](\d+)/.exec(process.argv.join(' '))?.[1] ?? 20)

/**
 * Checks that each planted bug is found, by a small schedule that its seed and the saved files repeat, and that fixed
 * handlers pass. `npm run bench -- handlers go worker --runs 5` takes two frameworks, and repeats 5 times.
 */
async function handlers() {
  const named = frameworks.filter((framework) => wanted.includes(framework))
  const hunts: (Hunt & { framework: string })[] = []
  for (const framework of named.length > 0 ? named : frameworks) {
    const tally = await tallyOf(framework, RUNS)
    if (!tally) {
      console.log(`${framework} is not installed`)
      continue
    }
    for (const complaint of tally.complaints) console.log(complaint)
    hunts.push(...tally.hunts.map((hunt) => ({ framework, ...hunt })))
    const baseline = `${Math.round(tally.perMinute)} schedules/min`
    below(`alarms on ${framework}, fixed`, tally.alarms, 0, String, baseline)
  }
  console.table(hunts)
  const found = hunts.filter((hunt) => hunt.found !== undefined)
  const repeated = hunts.filter(({ repeats }) => repeats > 0)
  const row = (what: string, value: number, of: number, least = of) =>
    add({
      ...{ what, measured: `${value} of ${of}`, baseline: 'planted in fixtures/handlers' },
      ...{ target: least === of ? 'all' : `≥ ${least}`, ok: value >= least },
    })
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
  row('bugs found', found.length, hunts.length, Math.ceil(0.95 * hunts.length))
  below('time to find one and its smallest schedule, median', median(found.map(({ wallMs }) => wallMs)), 3_000, ms)
  below('the same, CPU', median(found.map(({ cpuMs }) => cpuMs)), 3_000, ms)
  const [repeats, same] = [sum(repeated.map((hunt) => hunt.repeats)), sum(repeated.map((hunt) => hunt.sameReport))]
  row(
    'smallest schedules of at most 2 disturbances',
    found.filter((hunt) => hunt.disturbances <= 2).length,
    found.length,
  )
  row(`repeated by their seeds, ${RUNS} times each`, sum(repeated.map((hunt) => hunt.sameFinding)), repeats)
  row('the same with the same report', same, repeats)
  for (const kind of ['scenario', 'test'] as const)
    row(`saved ${kind}s that a fix makes pass`, repeated.filter((hunt) => hunt[kind]).length, repeated.length)
}

/** Explores the receivers that senders of webhooks recommend, and writes the table of docs/handlers.md. */
async function receivers() {
  for (const row of await tabulate()) console.log(row)
}

/** Explores every correct variant again and again, each time with a new seed; all must pass. */
async function fair() {
  for (const { variant, runs, blamed } of await exploreVariants(RUNS)) {
    below(`blamed: ${variant}`, blamed.length, 0, String, `of ${runs} runs of a correct variant`)
    for (const story of blamed) console.log(story)
  }
}

/** Sends through `fetch` of one process, over the socket and without it. */
async function fetchRow() {
  const { createSandbox } = await builtLibrary()
  const sandbox = await createSandbox()
  const { method, path, body } = sendRequest
  const headers = { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' }
  const rate = async (reach: typeof fetch) => {
    let left = 3_000
    const sender = async () => {
      while (left-- > 0) await (await reach(sandbox.url + path, { method, headers, body: body! })).text()
    }
    const spent = await cpuMsOf(() => Promise.all(Array.from({ length: CONNECTIONS }, sender)))
    await sandbox.reset('balance')
    return (3_000 * 1e3) / spent
  }
  const { ours, theirs } = await alternate(5, { theirs: () => rate(fetch), ours: () => rate(sandbox.fetch) })
  await sandbox.stop()
  const what = 'sends through sandbox.fetch, a second of CPU'
  atLeast(what, median(ours), median(theirs), 2, perSecond, 'fetch over loopback')
}

const msOfCpu = (value: number) => `${ms(value)} of CPU`

/** Runs 500 tests on two workers, as a runner does. */
async function suite() {
  const workers = await Promise.all([suiteWorker(250), suiteWorker(250)])
  const share = Math.max(...workers.map((worker) => worker.share))
  const memory = Math.max(...workers.map((worker) => worker.memory))
  const what = '500 tests on 2 workers: set-up and tear-down of one'
  below(what, share, 3, msOfCpu, 'a namespace, clock and receiver each')
  tell('memory of such a worker after its tests', memory, workers[0]!.before, megabytes, 'before')
}

/** Measures a lease with consent and its release, over the client of the library. */
async function leaseRow() {
  const { createSandbox } = await builtLibrary()
  const sandbox = await createSandbox()
  const cost = async (count: number, work: () => Promise<unknown>) => {
    const spent = await cpuMsOf(async () => {
      for (let i = 0; i < count; i++) await work()
    })
    return spent / count
  }
  const once = async () => void (await (await sandbox.lease.phone({ consent: true })).release())
  await cost(200, once)
  const held = await cost(500, () => sandbox.lease.phone({ consent: true }))
  const released = await cost(500, once)
  await sandbox.stop()
  below('a lease with contact and consent', held, 1, msOfCpu)
  below('a lease with contact and consent, and its release', released, 1, msOfCpu)
}

/** Measures nodes of a cluster beside a PostgreSQL and the load, all on one machine. */
async function cluster() {
  const { moves, read, memory, ...rates } = await measureCluster({ folder, world, request: sendRequest })
  const { single, oneWorld, oneNode, threeNodes } = rates
  below('longest answer while a world of 10 MB moves', median(moves), 150, ms, `${ms(read)} before`)
  const added = single.on - single.without
  add({
    ...{ what: 'a send to a node, median', measured: ms(single.on), baseline: `${ms(single.without)} without` },
    ...{ target: '≤ +5 ms', ok: added <= 5 },
  })
  const rate = `${perSecond(oneWorld.without)} without`
  above('sends to one world, 256 connections', oneWorld.on, 5_000, perSecond, rate)
  const cores = availableParallelism()
  const what = `sends to three worlds at three nodes, on ${cores} cores`
  // The nodes, PostgreSQL and the load need a core each.
  if (cores > 4) atLeast(what, threeNodes.perSecond, oneNode.perSecond, 2.5, perSecond, 'at one')
  else tell(what, threeNodes.perSecond, oneNode.perSecond, perSecond, 'at one')
  tell('CPU of the nodes for such a send', threeNodes.cpuMs, oneNode.cpuMs, ms, 'at one')
  below('memory of a node with 300 worlds', memory, 1e9, megabytes)
}

const parts: Record<string, () => Promise<void>> = {
  start: startTimes,
  // A send does all checks, the hold and the timers; on a standing clock the work of the timers is not done.
  send: () => sendThroughput('send, frozen clock, on disk', 0.8, '--clock', 'frozen'),
  sustained: sustainedSends,
  peers: besidePeers,
  webhooks: withWebhooks,
  async memory() {
    await memory(100_000, 120)
    await memory(1_000_000, 160)
  },
  reads,
  async due() {
    await dueRows('in memory', 150_000, '--memory')
    await dueRows('on disk', 120_000, '--data', join(folder, 'due'))
  },
  campaign: () => campaign(20_000),
  million: () => campaign(1_000_000),
  namespaces,
  snapshots,
  library,
  fetch: fetchRow,
  lease: leaseRow,
  suite,
  cluster,
  inspector,
  handlers,
  receivers,
  fair,
}
/** These fetch packages or take minutes, so they run only when named. */
const ON_REQUEST = ['peers', 'million', 'handlers', 'fair', 'receivers']
const wanted = process.argv.slice(2)
for (const [name, part] of Object.entries(parts))
  if (wanted.length === 0 ? !ON_REQUEST.includes(name) : wanted.includes(name)) await part()
print()
