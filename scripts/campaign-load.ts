import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'
import { type Client, createClient } from '../src/index.ts'

/**
 * Sends a one-SEND campaign to many contacts and reports the server's health meanwhile. By default the clock advances
 * over the whole run at full speed; with --real it runs at 500 contacts a second.
 *
 *     node scripts/campaign-load.ts [--contacts 100000] [--real] [--memory]
 */
const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '100000' },
    real: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
  },
})
const CONTACTS = Number(options.contacts)
const TARGET = { healthMs: 100, rssMb: 300 }
const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'

const folder = await mkdtemp(join(tmpdir(), 'campaign-load-'))
try {
  await main()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function main() {
  const server = await startServer()
  try {
    const client = createClient({ baseUrl: server.url, apiKey: 'sk_sandbox_default', timeoutMs: 0 })
    const made = stopwatch()
    await makeContacts(client)
    say(`${CONTACTS} contacts with consent after ${made()} s, ${await rssMb(server.pid)} MB`)
    await measureRun(client, server)
  } finally {
    server.kill('SIGTERM')
    await once(server.child, 'exit')
  }
}

async function measureRun(client: Client, server: { url: string; pid: number }) {
  const { campaign_id } = await client.campaigns.define({
    name: 'Load',
    trigger: 'API',
    audience: { tag: 'load' },
    flow: [
      {
        node: 'SEND',
        id: 'send',
        agent_id: AGENT,
        message_type: 'MESSAGE',
        traffic_type: 'PROMOTION',
        content: { text: 'Ten percent off, this week only.' },
      },
      { node: 'END', id: 'end' },
    ],
  })
  const health = watchHealth(server)
  const took = stopwatch()
  await client.campaigns.trigger(campaign_id)
  if (!options.real) await client.clock.advance({ by: `${Math.ceil(CONTACTS / 500) + 60}s` })
  while ((await client.campaigns.status(campaign_id)).status === 'RUNNING') await pause(250)
  const seconds = took()
  const { maxMs, p99Ms, asked, maxRssMb } = await health.stop()
  const { status, counts } = await client.campaigns.status(campaign_id)
  say(`${status} ${JSON.stringify(counts)} after ${seconds} s`)
  say(`health  max ${maxMs} ms, p99 ${p99Ms} ms of ${asked} (target ${TARGET.healthMs} ms)`)
  say(`memory  max ${maxRssMb} MB (target ${TARGET.rssMb} MB)`)
  if (status !== 'COMPLETED' || maxMs > TARGET.healthMs || maxRssMb > TARGET.rssMb) process.exitCode = 1
}

async function startServer() {
  const world = parse(await readFile(new URL('../fixtures/worlds/default.yaml', import.meta.url), 'utf8'))
  world.billing = { ...world.billing, balance: 20_000 }
  await writeFile(join(folder, 'world.yaml'), stringify(world))
  const where = options.memory ? ['--memory'] : ['--data', join(folder, 'data')]
  const main = new URL('../src/cli/main.ts', import.meta.url).pathname
  const clock = options.real ? 'real' : 'frozen'
  const args = [
    main,
    'start',
    '--port',
    '0',
    '--world',
    join(folder, 'world.yaml'),
    '--clock',
    clock,
    '--no-rate-limit',
    '--quiet',
    ...where,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /http:\/\/[^\s"]+/.exec(line.toString())![0]
  return { child, url, pid: child.pid!, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}

async function makeContacts(client: Client) {
  const consent = { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'load' } as const
  const all = Array.from({ length: CONTACTS }, (_, i) => ({
    external_id: `load-${i}`,
    phone: `+491511${String(i).padStart(7, '0')}`,
    tags: ['load'],
  }))
  for (let i = 0; i < all.length; i += 1_000) {
    const part = all.slice(i, i + 1_000)
    const { imported } = await client.contacts.import({ contacts: part })
    if (imported !== part.length) throw new Error(`only ${imported} of ${part.length} contacts were imported`)
    for (let j = 0; j < part.length; j += 50)
      await Promise.all(part.slice(j, j + 50).map(({ external_id }) => client.consent.record(external_id, consent)))
  }
}

/** Requests the server's health every 20 ms. */
function watchHealth({ url, pid }: { url: string; pid: number }) {
  const times: number[] = []
  let maxRssMb = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const from = performance.now()
      await (await fetch(`${url}/_sandbox/health`)).arrayBuffer()
      times.push(performance.now() - from)
      if (times.length % 10 === 0) maxRssMb = Math.max(maxRssMb, await rssMb(pid))
      await pause(20)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      const sorted = times.sort((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]! * 10) / 10
      return { maxMs: at(1), p99Ms: at(0.99), asked: times.length, maxRssMb }
    },
  }
}

async function rssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
}

function stopwatch() {
  const from = performance.now()
  return () => Math.round((performance.now() - from) / 100) / 10
}

function pause(ms: number) {
  return new Promise((resume) => setTimeout(resume, ms))
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
