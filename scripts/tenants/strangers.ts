import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerInProcess } from '../../src/http/in-process.ts'
import { operations } from '../../src/registry/api.ts'
import { type Emulator, startEmulator } from '../../src/server/emulator.ts'
import { type Target, targets } from '../../src/server/targets.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { pathNames } from '../../src/words/operation.ts'
import { issueCredential } from '../../src/world/tenants/credentials.ts'

/** Part of every text of the victim, and in nothing else. */
const MARK = 'only-the-victim-wrote-this'
const ADMIN = 'ct_the-admin-token-of-the-attack'

/** Calls at the same time. */
const BATCH = 50

/** Calls that do not end by themselves where they are answered. */
const ENDLESS = new Set(['events.stream', 'logs.stream'])

export interface AttackReport {
  calls: number
  /** Calls that were aimed at the victim and answered, or whose answer has something of the victim. */
  answered: string[]
  /** Differences of the victim's state after all calls. */
  changed: string[]
  /** Operations that were called. */
  operations: number
  /** Answers by status. */
  statuses: Record<string, number>
}

interface Caller {
  name: string
  key?: string
  token?: string
  /** Its credentials are valid, for another namespace. */
  isTenant?: boolean
}

/** A way to aim a call at the namespace of the victim besides the key. */
interface Aim {
  name: string
  prefix?: string
  headers?: Record<string, string>
  query?: string
  /** The call asks for the namespace itself. */
  isAimed: boolean
}

interface Attempt {
  target: Target
  caller: Caller
  aim: Aim
  path: string
  body: unknown
}

interface AttackOptions {
  calls: number
  seed?: number
  /** The URL of a PostgreSQL database. The victim is at one node of a cluster in it, and all calls go to another. */
  postgres?: string | undefined
}

/** Calls every operation of a shared sandbox with the credentials of others than its namespace `victim`. */
export async function attack({ calls, seed = 1, postgres }: AttackOptions): Promise<AttackReport> {
  const owner = await start(postgres, 'owner')
  const other = postgres === undefined ? owner : await start(postgres, 'other')
  try {
    return await attackOn(owner, other, { calls, seed })
  } finally {
    await other.stop()
    await owner.stop()
  }
}

const start = async (postgres: string | undefined, name: string): Promise<Emulator> =>
  startEmulator({
    world: await loadWorldFile('default'),
    port: 0,
    shared: true,
    controlToken: ADMIN,
    clock: { mode: 'frozen' },
    rateLimits: false,
    checkAnswers: true,
    staysInBackground: true,
    ...(postgres !== undefined && {
      folder: await mkdtemp(join(tmpdir(), 'sandbox-attack-')),
      cluster: { postgres, name },
    }),
    onFault: (error) => {
      throw error
    },
  })

async function attackOn(
  owner: Emulator,
  emulator: Emulator,
  { calls, seed }: Required<Omit<AttackOptions, 'postgres'>>,
) {
  const setUp = callerOf(owner)
  const ids = await fill(setUp, await tenant(setUp, 'victim'))
  const callers = await strangers(owner, setUp)
  const ask = callerOf(emulator)
  const before = await stateOf(owner)
  const draw = drawer(seed)
  const report: AttackReport = { calls: 0, answered: [], changed: [], operations: 0, statuses: {} }
  const all = Array.from({ length: calls }, (_, i) => attemptOf(targets[i % targets.length]!, callers, ids, draw))
  for (let at = 0; at < all.length; at += BATCH)
    await Promise.all(
      all.slice(at, at + BATCH).map(async (attempt) => {
        if (wouldNotEnd(attempt)) return
        const { status, text } = await ask(attempt)
        report.calls++
        report.statuses[status] = (report.statuses[status] ?? 0) + 1
        const fault = judge(attempt, status, text)
        if (fault) report.answered.push(`${fault}: ${inWords(attempt)} → ${status} ${text.slice(0, 200)}`)
      }),
    )
  report.operations = new Set(all.map(({ target }) => target.id)).size
  const after = await stateOf(owner)
  report.changed = Object.keys(before).filter((part) => before[part] !== after[part])
  return report
}

/** The own stream of a tenant is its good right, and never ends. */
const wouldNotEnd = ({ target, caller, aim }: Attempt) =>
  ENDLESS.has(target.id) && caller.isTenant === true && !aim.isAimed

function judge({ target, caller, aim }: Attempt, status: number, text: string): string | undefined {
  if (text.includes(MARK)) return 'something of the victim'
  const isOpen = target.access === 'anyone' || target.access === 'link'
  const mayAnswer = isOpen || (caller.isTenant && !aim.isAimed && target.access !== 'admin')
  return status < 400 && !mayAnswer ? 'answered' : undefined
}

const inWords = ({ target, caller, aim, path }: Attempt) =>
  `${target.id} ${target.method.toUpperCase()} ${path} as ${caller.name}, aimed by ${aim.name}`

type Ask = (
  call: Pick<Attempt, 'path' | 'body' | 'caller'> & { target: Pick<Target, 'method'>; aim?: Aim },
) => Promise<{
  status: number
  text: string
}>

const callerOf =
  ({ answer }: Pick<Emulator, 'answer'>): Ask =>
  async ({ target, path, body, caller: { key, token }, aim }) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const { status, body: received } = await answerInProcess(answer, {
      method: target.method.toUpperCase(),
      target: `${aim?.prefix ?? ''}${path}${aim?.query ?? ''}`,
      headers: {
        host: 'localhost',
        ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(token !== undefined && { 'x-sandbox-token': token }),
        ...aim?.headers,
      },
      body: bytes,
      signal: undefined,
    })
    const text = received === null ? '' : typeof received === 'string' ? received : await new Response(received).text()
    return { status, text }
  }

async function tenant(ask: Ask, name: string): Promise<Required<Pick<Caller, 'name' | 'key' | 'token'>>> {
  const { status, text } = await ask({
    target: { method: 'post' },
    path: `/_sandbox/namespaces/${name}`,
    body: {},
    caller: { name: 'admin', token: ADMIN },
  })
  if (status !== 201) throw new Error(`${name}: ${status} ${text}`)
  const { api_key, control_token } = JSON.parse(text)
  return { name, key: api_key, token: control_token }
}

/** Gives the victim something of every kind, and returns the ids. */
async function fill(ask: Ask, caller: Caller): Promise<string[]> {
  const made = async (method: Target['method'], path: string, body?: unknown) => {
    const { status, text } = await ask({ target: { method }, path, body, caller })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Record<string, string>
  }
  const agent_id = 'ag_live_00000000-0000-4000-8000-000000000001'
  const contact = await made('post', '/v1/contacts', { email: `${MARK}@example.com`, external_id: 'ada' })
  const { message_id } = await made('post', '/v1/messages', {
    ...{ agent_id, to: '+491713920030', message_type: 'MESSAGE', traffic_type: 'TRANSACTION' },
    content: { text: MARK },
  })
  await made('post', '/_sandbox/clock/advance', { by: '1h' })
  const webhook = await made('post', '/v1/webhooks', { url: `https://${MARK}.example/hook`, events: ['webhook.test'] })
  const rule = await made('post', '/_sandbox/rules', { name: MARK, match: {}, behaviour: { outcome: 'delivered' } })
  const lease = await made('post', '/_sandbox/leases', { kind: 'phone', name: MARK })
  await made('post', '/_sandbox/snapshots', { name: 'before' })
  await made('put', '/_sandbox/events/cursors/orders', { seq: 0 })
  const { events } = (await made('get', '/_sandbox/events')) as unknown as { events: { id: string }[] }
  const { requests } = (await made('get', '/_sandbox/requests')) as unknown as { requests: { request_id: string }[] }
  const own = [contact.id, message_id, webhook.id, rule.id, lease.id, events[0]?.id, requests[0]?.request_id]
  return [
    ...own.filter((id) => id !== undefined),
    'ada',
    'before',
    'orders',
    'victim',
    '+491713920030',
    '..',
    '../victim',
  ]
}

async function strangers(emulator: Emulator, ask: Ask): Promise<Caller[]> {
  const rival = await tenant(ask, 'rival')
  // Its world is at the node of the victim, so its calls are forwarded there.
  await ask({ target: { method: 'get' }, path: '/_sandbox/clock', body: undefined, caller: rival })
  const revoked = await tenant(ask, 'revoked')
  await emulator.worlds.tenants!.revoke('revoked')
  const [key, token] = [issueCredential('key', 'ended'), issueCredential('token', 'ended')]
  await emulator.worlds.tenants!.registry.create(
    { namespace: 'ended', expiresAt: 1, limits: { messages: null, storageBytes: null, sendsPerMinute: null } },
    [key.credential, token.credential],
  )
  const secret = rival.key.slice(-40)
  const unknown = issueCredential('key', 'victim').text
  return [
    { name: 'nobody' },
    { name: 'a guessed key', key: 'sk_sandbox_victim' },
    { name: 'a guessed key and token', key: 'sk_sandbox_victim', token: 'ct_victim' },
    { name: 'an unknown key', key: unknown, token: issueCredential('token', 'victim').text },
    { name: 'a revoked key', key: revoked.key, token: revoked.token },
    { name: 'an expired key', key: key.text, token: token.text },
    { name: 'the secret of another under this name', key: `sk_sandbox_victim_${secret}`, token: `ct_victim_${secret}` },
    { name: 'key and token exchanged', key: rival.token, token: rival.key },
    { name: 'the token of another with a guessed key', key: 'sk_sandbox_victim', token: rival.token },
    { name: 'the token of another with an unknown key', key: unknown, token: rival.token },
    { name: 'the key of another with an unknown token', key: rival.key, token: 'ct_victim_0' },
    { ...rival, name: 'another tenant', isTenant: true },
    { name: 'the token of another', token: rival.token, isTenant: true },
    { name: 'the key of another', key: rival.key, isTenant: true },
    { name: 'the token of another as a key', key: rival.token, isTenant: true },
  ]
}

const AIMS: readonly Aim[] = [
  { name: 'ids alone', isAimed: false },
  { name: 'a lease', headers: { 'x-sandbox-lease': 'lease_victim' }, isAimed: false },
  { name: 'the query', query: '?namespace=victim&token=ct_victim', isAimed: false },
  { name: 'the URL', prefix: '/ns/victim', isAimed: true },
  { name: 'the URL, twice', prefix: '/ns/rival/ns/victim', isAimed: true },
  { name: 'the URL, encoded', prefix: '/ns/%76ictim', isAimed: true },
  { name: 'the baggage', headers: { baggage: 'sandbox.ns=victim' }, isAimed: true },
  { name: 'the baggage, encoded', headers: { baggage: 'other=1, sandbox.ns=%76ictim;p=1' }, isAimed: true },
  { name: 'URL and baggage', prefix: '/ns/rival', headers: { baggage: 'sandbox.ns=victim' }, isAimed: false },
]

const examplesOf = new Map(operations.map(({ id, examples }) => [id, examples]))

function attemptOf(target: Target, callers: readonly Caller[], ids: readonly string[], draw: Draw): Attempt {
  const values = new Map(pathNames(target.path).map((name) => [name, encodeURIComponent(draw(ids))]))
  const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name)!)
  const examples = examplesOf.get(target.id) ?? []
  const body = examples.length > 0 ? draw(examples) : undefined
  const own = AIMS.filter(({ prefix }) => prefix === undefined || /^\/(v1|_sandbox)\//.test(target.path))
  return { target, caller: draw(callers), aim: draw(own), path, body }
}

/** All that the victim has, in parts. */
async function stateOf({ worlds }: Emulator): Promise<Record<string, string>> {
  const world = worlds.get('victim')
  const { registry } = worlds.tenants!
  return {
    world: world.lifecycle.opened.image().toString('base64'),
    snapshots: JSON.stringify(await worlds.snapshotsOf(world).all()),
    tenant: JSON.stringify(await registry.get('victim')),
  }
}

type Draw = <T>(from: readonly T[]) => T

/** Draws evenly; the same seed draws the same (mulberry32). */
function drawer(seed: number): Draw {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return (from) => from[Math.floor(next() * from.length)]!
}
