import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Request, send, throughput } from './load.ts'

/** Servers that emulate or mock an API, each with its exact or major version. */
const PACKAGES = ['emulate@0.12.2', 'wiremock@3', '@mockoon/cli@9', '@stoplight/prism-cli@5']
/** Kept between runs. */
const FOLDER = join(tmpdir(), 'sandbox-bench-peers')
const OPENAPI = fileURLToPath(new URL('../../fixtures/openapi.json', import.meta.url))
const READY_WITHIN_MS = 30_000

export interface Peer {
  name: string
  perSecond(ms: number): Promise<number>
  stop(): void
}

interface PeerTerms {
  name: string
  args: readonly string[]
  request: Request
}

/** Fetches the peers from npm and starts them on this port and those after it. WireMock needs Java. */
export async function startPeers(sending: Request, port: number, connections: number): Promise<Peer[]> {
  mkdirSync(FOLDER, { recursive: true })
  if (!existsSync(join(FOLDER, 'node_modules')))
    execFileSync('npm', ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', ...PACKAGES], { stdio: 'ignore' })
  writeFiles(sending, port)
  const peers = await Promise.all(termsOf(sending, port).map((terms, i) => start(terms, port + i, connections)))
  return peers.filter((peer) => peer !== undefined)
}

const ANSWER = JSON.stringify({
  message_id: 'msg_00000000-0000-4000-8000-000000000001',
  status: 'queued',
  created_at: '2026-01-01T00:00:00.000Z',
})

function writeFiles({ path }: Request, port: number) {
  const json = (name: string, value: unknown) => writeFileSync(join(FOLDER, name), JSON.stringify(value))
  mkdirSync(join(FOLDER, 'wiremock', 'mappings'), { recursive: true })
  json('wiremock/mappings/send.json', {
    request: { method: 'POST', urlPath: path, bodyPatterns: [{ matchesJsonPath: '$.to' }] },
    response: { status: 202, headers: { 'Content-Type': 'application/json' }, body: ANSWER },
  })
  const response = { uuid: 'c', body: ANSWER, statusCode: 202, bodyType: 'INLINE', default: true, rules: [] }
  const headers = [{ key: 'Content-Type', value: 'application/json' }]
  const route = {
    uuid: 'b',
    type: 'http',
    method: 'post',
    endpoint: path.slice(1),
    responses: [{ ...response, headers }],
  }
  const server = { uuid: 'a', name: 'a', lastMigration: 33, port: port + 2, routes: [route], folders: [] }
  json('mockoon.json', { ...server, rootChildren: [{ type: 'route', uuid: 'b' }], endpointPrefix: '', headers: [] })
  writeFileSync(join(FOLDER, 'openapi.json'), readFileSync(OPENAPI))
}

function termsOf(sending: Request, port: number): PeerTerms[] {
  const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'x', text: 'Your order is on its way' }
  let keys = 0
  // It limits the requests of a key.
  const email = { method: 'POST', path: '/emails', body: JSON.stringify(mail), key: () => `re_${++keys}` }
  const at = (i: number) => String(port + i)
  return [
    { name: 'emulate resend', args: ['emulate', 'start', '--service', 'resend', '--port', at(0)], request: email },
    {
      name: 'WireMock',
      args: ['wiremock', '--port', at(1), '--root-dir', join(FOLDER, 'wiremock'), '--no-request-journal'],
      request: sending,
    },
    {
      name: 'Mockoon',
      args: ['mockoon-cli', 'start', '--data', join(FOLDER, 'mockoon.json'), '--disable-log-to-file'],
      request: sending,
    },
    {
      name: 'Prism',
      args: ['prism', 'mock', join(FOLDER, 'openapi.json'), '-p', at(3), '-h', '127.0.0.1', '-v', 'fatal'],
      request: sending,
    },
  ]
}

/** Returns undefined for a peer that does not answer in time. */
async function start({ name, args, request }: PeerTerms, port: number, connections: number): Promise<Peer | undefined> {
  const [command, ...flags] = args
  // A group of processes, because some start their server as a child.
  const child = spawn(join(FOLDER, 'node_modules', '.bin', command!), flags, {
    detached: true,
    stdio: 'ignore',
    cwd: FOLDER,
  })
  const signal = (name: NodeJS.Signals) => void process.kill(-child.pid!, name)
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) signal('SIGKILL')
  }
  process.once('exit', stop)
  const until = performance.now() + READY_WITHIN_MS
  while (!(await answers(port, request)))
    if (performance.now() > until) {
      console.error(`${name} does not answer`)
      return undefined
    }
  // Only the one that is measured runs.
  signal('SIGSTOP')
  return {
    name,
    async perSecond(ms) {
      signal('SIGCONT')
      const rate = await throughput(port, request, connections, ms)
      signal('SIGSTOP')
      return rate
    },
    stop,
  }
}

const answers = (port: number, request: Request): Promise<boolean> =>
  send(port, request, 1, 1).then(
    () => true,
    () => rest(200, false),
  )
