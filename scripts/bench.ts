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
import { atRate, latencies, median, type Request, send, throughput, underLoad } from './bench/load.ts'
import { lengthen } from './bench/long-log.ts'
import { dataIn, makingOfOne, memoryOfMany, restoring } from './bench/namespaces.ts'
import { startPeers } from './bench/peers.ts'
import {
  BIN,
  BINARY,
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
import { type Hunt, tallyOf } from './bench/tally.ts'
import { richWorld, scratch } from './bench/worlds.ts'

/** One line of the table: a measurement, its baseline and its limit. */
interface Row {
  what: string
  measured: string
  baseline: string
  ratio: string
  target: string
  ok: boolean
}

/** Keeps every server busy. */
const CONNECTIONS = 32
const rows: Row[] = []
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

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`
const perSecond = (value: number) => `${Math.round(value)}/s`
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

function atMost(
  what: string,
  value: number,
  base: number,
  factor: number,
  show: (n: number) => string,
  against: string,
) {
  rows.push({
    what,
    measured: show(value),
    baseline: `${show(base)} ${against}`,
    ratio: `${(value / base).toFixed(2)} ×`,
    target: `≤ ${factor} ×`,
    ok: value <= base * factor,
  })
}

/** Adds a row without a target. */
function tell(what: string, value: number, base: number, show: (n: number) => string, against: string) {
  const [measured, baseline] = [show(value), `${show(base)} ${against}`]
  rows.push({ what, measured, baseline, ratio: `${(value / base).toFixed(2)} ×`, target: '', ok: true })
}

/** Adds a row with a limit instead of a baseline. */
function below(what: string, value: number, limit: number, show: (n: number) => string) {
  rows.push({ what, measured: show(value), baseline: '', ratio: '', target: `≤ ${show(limit)}`, ok: value <= limit })
}

async function repeat(times: number, once: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let i = 0; i < times; i++) values.push(await once())
  return median(values)
}

/** Rounds alternate between all that is compared, so that a noisy machine disturbs each alike. */
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
  const runs = {
    bare: () => runTime(['-e', '0']),
    ready: readyWith(startSandbox),
    firstHealth: readyWith(startSandbox, { method: 'GET', path: '/_sandbox/health' }),
    firstSend: readyWith(startSandbox, sendRequest),
    binary: existsSync(BINARY) ? readyWith(startBinary) : undefined,
    version: () => runTime([BIN, '--version']),
    help: () => runTime([BIN, '--help']),
    sendCommand: () => runTime([BIN, 'send', '+491713920000', '--text', 'Hi', ...there]),
    firstUse: () => runTime([FIRST_USE]),
  }
  const times = mapValues(runs, (): number[] => [])
  for (let round = 0; round < 12; round++)
    for (const [name, run] of Object.entries(runs)) if (run) times[name]!.push(await run())
  await sandbox.stop()
  const { bare, ready, firstHealth, firstSend, binary, version, help, sendCommand, firstUse } = mapValues(
    times,
    // The first round fills caches.
    (values) => median(values!.slice(1)),
  )
  atMost('start to ready', ready!, bare!, 6, ms, 'node -e 0')
  // A start must not shift its work to the first caller.
  tell('start to the answer of a health right after', firstHealth!, bare!, ms, 'node -e 0')
  atMost('start to the answer of a send right after', firstSend!, bare!, 3, ms, 'node -e 0')
  atMost('library read, sandbox made, first send answered', firstUse!, bare!, 3, ms, 'node -e 0')
  if (binary) atMost('start to ready, binary', binary, ready!, 2, ms, 'npm version')
  atMost('sandbox --version', version!, bare!, 2, ms, 'node -e 0')
  atMost('sandbox --help', help!, bare!, 1.5, ms, 'node -e 0')
  atMost('sandbox send', sendCommand!, bare!, 2, ms, 'node -e 0')
}

const mapValues = <T, U>(object: Record<string, T>, map: (value: T) => U): Partial<Record<string, U>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

/** Rounds alternate between the two, so that a noisy machine disturbs both alike. */
async function sendThroughput(what: string, atLeast: number, ...flags: string[]) {
  const express = await startExpress()
  const sandbox = await startSandbox(
    '--world',
    world,
    '--data',
    join(folder, what.replace(/\W+/g, '-')),
    '--no-rate-limit',
    ...flags,
  )
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 6; round++) {
    theirs.push(await throughput(express.port, sendRequest, CONNECTIONS, 1_500))
    ours.push(await throughput(sandbox.port, sendRequest, CONNECTIONS, 1_500))
  }
  await Promise.all([express.stop(), sandbox.stop()])
  // The first round of each warms up.
  const [value, base] = [median(ours.slice(1)), median(theirs.slice(1))]
  rows.push({
    what,
    measured: perSecond(value),
    baseline: `${perSecond(base)} bare Express`,
    ratio: `${(value / base).toFixed(2)} ×`,
    target: `≥ ${atLeast} ×`,
    ok: value >= base * atLeast,
  })
}

/** On a running clock the steps of a message count too: a sandbox that answers and falls behind is not fast. */
async function sustainedSends() {
  const express = await startExpress()
  const sandbox = await startSandbox('--world', world, '--data', join(folder, 'sustained'), '--no-rate-limit')
  const ours = []
  const theirs: number[] = []
  for (let round = 0; round < 4; round++) {
    theirs.push(await throughput(express.port, sendRequest, CONNECTIONS, 1_500))
    ours.push(await sustained(sandbox.port, sendRequest, CONNECTIONS, 5_000))
  }
  const measured = ours.slice(1)
  const value = median(measured.map(({ perSecond }) => perSecond))
  const base = median(theirs.slice(1))
  const p99Ms = await atRate(sandbox.port, sendRequest, value / 2, 5_000)
  await Promise.all([express.stop(), sandbox.stop()])
  rows.push({
    what: 'send, running clock, on disk, all steps included',
    measured: perSecond(value),
    baseline: `${perSecond(base)} bare Express`,
    ratio: `${(value / base).toFixed(2)} ×`,
    target: '≥ 0.4 ×',
    ok: value >= base * 0.4,
  })
  const late = Math.max(...measured.map(({ latenessMs }) => latenessMs))
  rows.push({
    what: 'lateness of due steps meanwhile, 99th percentile',
    measured: ms(late),
    baseline: 'the highest rate of sends',
    ratio: '',
    target: '≤ 250 ms',
    ok: late <= 250,
  })
  rows.push({
    what: 'the slowest hundredth of answers at half of this rate',
    measured: ms(p99Ms),
    baseline: perSecond(value / 2),
    ratio: '',
    target: '≤ 10 ms',
    ok: p99Ms <= 10,
  })
}

/** Rounds alternate between all of them, and only the measured one runs. */
async function besidePeers() {
  const sandbox = await startSandbox('--world', world, '--data', join(folder, 'peers'), '--no-rate-limit')
  const found = await startPeers(sendRequest, sandbox.port + 1, CONNECTIONS)
  const ours: number[] = []
  const theirs = found.map((): number[] => [])
  for (let round = 0; round < 4; round++) {
    for (const [i, peer] of found.entries()) theirs[i]!.push(await peer.perSecond(3_000))
    ours.push((await sustained(sandbox.port, sendRequest, CONNECTIONS, 5_000)).perSecond)
  }
  await sandbox.stop()
  const value = median(ours.slice(1))
  for (const [i, peer] of found.entries()) {
    peer.stop()
    const base = median(theirs[i]!.slice(1))
    rows.push({
      what: `send, running clock, all steps included, ÷ ${peer.name}`,
      measured: perSecond(value),
      baseline: `${perSecond(base)} ${peer.name}`,
      ratio: `${(value / base).toFixed(2)} ×`,
      target: '≥ 1.05 ×',
      ok: value >= base * 1.05,
    })
  }
}

/** Every event of every message goes to ten receivers that take it: some forty exchanges for each send. */
async function withWebhooks() {
  const [express, receiver] = [await startExpress(), await startReceiver()]
  const sandbox = await startSandbox('--world', world, '--data', join(folder, 'webhooks'), '--no-rate-limit')
  const url = (n: number) => `http://127.0.0.1:${receiver.port}/${n}`
  for (let n = 0; n < 10; n++) {
    const body = JSON.stringify({ url: url(n), events: ['*'] })
    await send(sandbox.port, { method: 'POST', path: '/v1/webhooks', body }, 1, 1)
  }
  const ours: { perSecond: number; p99Ms: number; deliveries: number }[] = []
  const theirs: number[] = []
  const received = async () => Number(await (await fetch(url(0))).text())
  for (let round = 0; round < 6; round++) {
    theirs.push(await throughput(express.port, sendRequest, CONNECTIONS, 1_500))
    const before = await received()
    const load = await underLoad(sandbox.port, sendRequest, CONNECTIONS, 1_500)
    ours.push({ ...load, deliveries: (await received()) - before })
  }
  await Promise.all([express.stop(), sandbox.stop(), receiver.stop()])
  const measured = ours.slice(1)
  const value = median(measured.map(({ perSecond }) => perSecond))
  const base = median(theirs.slice(1))
  rows.push({
    what: 'send, running clock, on disk, ten live webhooks beside it',
    measured: perSecond(value),
    baseline: `${perSecond(base)} bare Express`,
    ratio: `${(value / base).toFixed(2)} ×`,
    target: '≥ 0.3 ×',
    ok: value >= base * 0.3,
  })
  const deliveries = median(measured.map(({ deliveries }) => deliveries / 1.5))
  tell('deliveries meanwhile', deliveries, value, perSecond, 'sends')
  const slow = median(measured.map(({ p99Ms }) => p99Ms))
  rows.push({
    what: 'the slowest hundredth of these answers',
    measured: ms(slow),
    baseline: `${CONNECTIONS} connections`,
    ratio: '',
    target: '≤ 50 ms',
    ok: slow <= 50,
  })
}

/** V8 gives memory back in this time. */
const REST_MS = 10_000

async function memory(messages: number, most: number) {
  const sandbox = await startSandbox('--world', world, '--data', join(folder, `memory-${messages}`), '--no-rate-limit')
  const before = sandbox.memory()
  await send(sandbox.port, sendRequest, CONNECTIONS, messages)
  const after = sandbox.memory()
  await pause(REST_MS)
  const atRest = sandbox.memory()
  await sandbox.stop()
  rows.push({
    what: `memory after ${messages.toLocaleString('en')} messages`,
    measured: megabytes(after),
    baseline: `${megabytes(before)} at start, ${megabytes(atRest)} after ${REST_MS / 1_000} s of rest`,
    ratio: `${(after / before).toFixed(2)} ×`,
    target: `≤ ${most} MB`,
    ok: after <= most * 1e6,
  })
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
  const rounds = []
  for (let round = 0; round < 4; round++) rounds.push(await advanceOver(sandbox.port, 20_000, sendRequest))
  await sandbox.stop()
  // The first round warms up.
  const measured = rounds.slice(1)
  const rate = median(measured.map(({ perSecond }) => perSecond))
  rows.push({
    what: `due steps (dispatch, delivery, read) in one advance, ${where}`,
    measured: perSecond(rate),
    baseline: `${measured[0]!.rows} rows in one advance`,
    ratio: '',
    target: `≥ ${atLeast}/s`,
    ok: rate >= atLeast,
  })
  const slowest = Math.max(...measured.map(({ slowestHealth }) => slowestHealth))
  rows.push({
    what: 'slowest health meanwhile',
    measured: ms(slowest),
    baseline: '',
    ratio: '',
    target: '≤ 100 ms',
    ok: slowest <= 100,
  })
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

async function campaign(contacts: number) {
  const sandbox = await startSandbox(
    '--data',
    join(folder, `campaign-${contacts}`),
    '--clock',
    'frozen',
    '--world',
    world,
  )
  const { sent, generatedMs, advancedMs, slowestHealth, memory } = await campaignTo(contacts, sandbox)
  await sandbox.stop()
  const row = (what: string, measured: string, target: string, ok: boolean) =>
    rows.push({ what, measured, baseline: '', ratio: '', target, ok })
  const mostMs = contacts / 25
  row(
    `${sent} contacts with consent generated`,
    seconds(generatedMs),
    `≤ ${seconds(mostMs / 2)}`,
    generatedMs <= mostMs / 2,
  )
  row('a campaign to them in one advance', seconds(advancedMs), `≤ ${seconds(mostMs)}`, advancedMs <= mostMs)
  row('slowest health meanwhile', ms(slowestHealth), '≤ 100 ms', slowestHealth <= 100)
  row('the most memory meanwhile', megabytes(memory), '≤ 250 MB', memory <= 250e6)
}

async function library() {
  const { createSandbox } = (await import(
    new URL('../dist/index.js', import.meta.url).href
  )) as typeof import('../src/index.ts')
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
  const typical = await repeat(21, () => once())
  rows.push({
    what: 'createSandbox(), first call',
    measured: ms(first),
    baseline: 'module loaded',
    ratio: '',
    target: '≤ 15 ms',
    ok: first <= 15,
  })
  // The first send loads modules that the start leaves out.
  rows.push({
    what: 'the first send after it',
    measured: ms(firstSend),
    baseline: 'module loaded',
    ratio: '',
    target: '',
    ok: true,
  })
  rows.push({
    what: 'createSandbox(), median',
    measured: ms(typical),
    baseline: 'module loaded',
    ratio: '',
    target: '≤ 15 ms',
    ok: typical <= 15,
  })
}

function print() {
  const titles: Row = {
    what: 'what',
    measured: 'measured',
    baseline: 'baseline',
    ratio: 'ratio',
    target: 'target',
    ok: true,
  }
  const names = ['what', 'measured', 'baseline', 'ratio', 'target'] as const
  const widths = names.map((name) => Math.max(...[titles, ...rows].map((row) => row[name].length)))
  for (const row of [titles, ...rows])
    console.log(
      `${names.map((name, i) => row[name].padEnd(widths[i]!)).join('  ')}  ${row === titles ? '' : row.ok ? 'ok' : 'MISSED'}`,
    )
  console.log('In one run on one machine; baseline and measure side by side.')
  if (rows.some(({ ok }) => !ok)) process.exitCode = 1
}

/** Measures a namespace by the time of its first request less that of its second, as requests take time of their own. */
async function namespaces() {
  for (const [where, most, flags] of [
    ['in memory', 2, ['--memory']],
    ['on disk', 5, dataIn(folder)],
  ] as const) {
    const { making, asking } = await makingOfOne(...flags)
    rows.push({
      what: `namespace made on first use, ${where}`,
      measured: ms(making),
      baseline: `${ms(asking)} a request`,
      ratio: '',
      target: `≤ ${most} ms`,
      ok: making <= most,
    })
  }
  // The first is for statements compiled late, the second for eviction, the third for the page caches that share memory.
  for (const [count, messages, most] of [
    [200, 20, 300],
    [600, 1, 250],
    [100, 1_500, 600],
  ] as const) {
    const { before, after } = await memoryOfMany(count, messages, sendRequest)
    rows.push({
      what: `memory with ${count} namespaces of ${messages} ${messages === 1 ? 'message' : 'messages'}`,
      measured: megabytes(after),
      baseline: `${megabytes(before)} at start`,
      ratio: `${(after / before).toFixed(2)} ×`,
      target: `< ${most} MB`,
      ok: after < most * 1e6,
    })
  }
}

async function snapshots() {
  const took = await restoring(1_000, sendRequest)
  rows.push({
    what: 'restore of 1,000 messages, in memory',
    measured: ms(took),
    baseline: 'HTTP included',
    ratio: '',
    target: '≤ 10 ms',
    ok: took <= 10,
  })
}

/** Measures the cost of the page at /, for those who open it and those who do not. */
async function inspector() {
  const ready = async () => {
    const sandbox = await startSandbox('--memory')
    await sandbox.stop()
    return sandbox.readyMs
  }
  const [having, lacking]: number[][] = [[], []]
  for (let round = 0; round < 10; round++) {
    having!.push(await ready())
    lacking!.push(await withoutInspector(ready))
  }
  atMost('start to ready, with the inspector', median(having!), median(lacking!), 1.1, ms, 'without it')
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
    const measured = String(tally.alarms)
    rows.push({
      what: `alarms on ${framework}, fixed`,
      measured,
      baseline,
      ratio: '',
      target: '0',
      ok: measured === '0',
    })
  }
  console.table(hunts)
  const found = hunts.filter((hunt) => hunt.found !== undefined)
  const repeated = hunts.filter(({ repeats }) => repeats > 0)
  const row = (what: string, value: number, of: number, least = of) =>
    rows.push({
      ...{ what, measured: `${value} of ${of}`, baseline: 'planted in fixtures/handlers', ratio: '' },
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
    const measured = `${blamed.length} of ${runs}`
    rows.push({
      what: `blamed: ${variant}`,
      measured,
      baseline: 'correct variants',
      ratio: '',
      target: '0',
      ok: blamed.length === 0,
    })
    for (const story of blamed) console.log(story)
  }
}

/** Sends through `fetch` of one process, over the socket and without it. Rounds alternate between the two. */
async function fetchRow() {
  const { createSandbox } = (await import(
    new URL('../dist/index.js', import.meta.url).href
  )) as typeof import('../src/index.ts')
  const sandbox = await createSandbox()
  const { method, path, body } = sendRequest
  const headers = { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' }
  const rate = async (reach: typeof fetch) => {
    const from = process.cpuUsage()
    let left = 3_000
    const sender = async () => {
      while (left-- > 0) await (await reach(sandbox.url + path, { method, headers, body: body! })).text()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sender))
    const { user, system } = process.cpuUsage(from)
    await sandbox.reset('balance')
    return (3_000 * 1e6) / (user + system)
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 6; round++) {
    theirs.push(await rate(fetch))
    ours.push(await rate(sandbox.fetch))
  }
  await sandbox.stop()
  const [value, base] = [median(ours.slice(1)), median(theirs.slice(1))]
  rows.push({
    what: 'sends through sandbox.fetch, a second of CPU',
    measured: perSecond(value),
    baseline: `${perSecond(base)} fetch over loopback`,
    ratio: `${(value / base).toFixed(2)} ×`,
    target: '≥ 2 ×',
    ok: value >= base * 2,
  })
}

/** Runs 500 tests on two workers, as a runner does. */
async function suite() {
  const workers = await Promise.all([suiteWorker(250), suiteWorker(250)])
  const share = Math.max(...workers.map((worker) => worker.share))
  const memory = Math.max(...workers.map((worker) => worker.memory))
  rows.push({
    what: '500 tests on 2 workers: set-up and tear-down of one',
    measured: `${ms(share)} of CPU`,
    baseline: 'a namespace, clock and receiver each',
    ratio: '',
    target: '≤ 3 ms',
    ok: share <= 3,
  })
  tell('memory of such a worker after its tests', memory, workers[0]!.before, megabytes, 'before')
}

/** Measures a lease with consent and its release, over the client of the library. */
async function leaseRow() {
  const { createSandbox } = (await import(
    new URL('../dist/index.js', import.meta.url).href
  )) as typeof import('../src/index.ts')
  const sandbox = await createSandbox()
  const cost = async (count: number, work: () => Promise<unknown>) => {
    const from = process.cpuUsage()
    for (let i = 0; i < count; i++) await work()
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000 / count
  }
  const once = async () => void (await (await sandbox.lease.phone({ consent: true })).release())
  await cost(200, once)
  const held = await cost(500, () => sandbox.lease.phone({ consent: true }))
  const released = await cost(500, once)
  await sandbox.stop()
  const row = (what: string, value: number) =>
    rows.push({ what, measured: `${ms(value)} of CPU`, baseline: '', ratio: '', target: '< 1 ms', ok: value < 1 })
  row('a lease with contact and consent', held)
  row('a lease with contact and consent, and its release', released)
}

/** Measures nodes of a cluster beside a PostgreSQL and the load, all on one machine. */
async function cluster() {
  const { moves, read, memory, ...rates } = await measureCluster({ folder, world, request: sendRequest })
  const { single, oneWorld, oneNode, threeNodes } = rates
  const longest = median(moves)
  const row = (what: string, measured: string, baseline: string, target: string, ok: boolean) =>
    rows.push({ what, measured, baseline, ratio: '', target, ok })
  row('longest answer while a world of 10 MB moves', ms(longest), `${ms(read)} before`, '≤ 150 ms', longest <= 150)
  const added = single.on - single.without
  row('a send to a node, median', ms(single.on), `${ms(single.without)} without`, '≤ +5 ms', added <= 5)
  const rate = `${perSecond(oneWorld.without)} without`
  row('sends to one world, 256 connections', perSecond(oneWorld.on), rate, '≥ 5000/s', oneWorld.on >= 5_000)
  const [three, one] = [threeNodes.perSecond, oneNode.perSecond]
  rows.push({
    what: `sends to three worlds at three nodes, on ${availableParallelism()} cores`,
    measured: perSecond(three),
    baseline: `${perSecond(one)} at one`,
    ratio: `${(three / one).toFixed(2)} ×`,
    // The nodes, PostgreSQL and the load need a core each.
    target: availableParallelism() > 4 ? '≥ 2.5 ×' : '',
    ok: availableParallelism() <= 4 || three >= 2.5 * one,
  })
  tell('CPU of the nodes for such a send', threeNodes.cpuMs, oneNode.cpuMs, ms, 'at one')
  row('memory of a node with 300 worlds', megabytes(memory), '', '≤ 1000 MB', memory <= 1e9)
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
