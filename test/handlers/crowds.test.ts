import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { exitCodeOf } from '../../src/cli/commands/explore/run.ts'
import { type Client, createClient } from '../../src/client/index.ts'
import type { HandlerFunction } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Flow } from '../../src/handlers/explore/flow.ts'
import { builtInFlows, requireFlow } from '../../src/handlers/explore/flows/index.ts'
import type { Requests } from '../../src/handlers/explore/parts.ts'
import { impactOf, type PlannedRun, phaseOrdersOf } from '../../src/handlers/explore/phase-order.ts'
import { planOf } from '../../src/handlers/explore/plan.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { stepOf } from '../../src/http/sleep.ts'
import { yieldToRequests } from '../../src/world/machine-time.ts'
import { realTime } from '../../src/world/real-time.ts'
import { urlOf } from '../url-of.ts'

/** The number of requests after which it answers before it works. */
const BUSY = 10

const UNKNOWN = 'ag_live_00000000-0000-4000-8000-00000000ffff'

type Bug = 'drops what is too much' | 'keeps what is too much in memory'

/** An application that counts replies. Its database survives a kill. */
function office(bug?: Bug) {
  const seen = new Set<string>()
  const replies: Record<string, number> = {}
  let waiting: (() => void)[] = []
  let [inWork, life] = [0, 0]
  const count = (id: string, from: string) => {
    if (!seen.has(id)) replies[from] = (replies[from] ?? 0) + 1
    seen.add(id)
  }
  const stop = () => {
    life++
    inWork = 0
    waiting = []
  }
  return {
    truth() {
      for (const work of waiting.splice(0)) work()
      return { replies }
    },
    kill: stop,
    restart: stop,
    async handler({ body }: { body: string }) {
      const { id, event, data } = JSON.parse(body)
      if (event !== 'conversation.started') return 200
      const startedIn = life
      if (bug && inWork === BUSY) {
        if (bug === 'keeps what is too much in memory') waiting.push(() => count(id, data.from))
        return 200
      }
      inWork++
      await yieldToRequests()
      if (startedIn !== life) throw new Error('killed')
      inWork--
      count(id, data.from)
      return 200
    },
  }
}

// Crowds are left out where a slow machine could exceed the time limit of an answer.
const options = { flows: ['tap'], events: ['conversation.*'], settleMs: 20, idleSeconds: 0, timeoutMs: 60_000 } as const

test.each([
  ['drops what is too much', 'together', []],
  ['keeps what is too much in memory', 'kill', [{ kind: 'kill', event: 5, at: 'work' }]],
] as const)('an application that %s is found by a crowd, repeated and saved', async (bug, kind, perturbations) => {
  const { failure } = await explore({ ...office(bug), ...options, disturbances: [kind] })
  expect(failure).toMatchObject({ schedule: { perturbations, crowd: true }, findings: [{ where: 'replies' }] })
  expect(failure!.story).toContain('It fails only when the same happens to 32 people at once')
  expect(failure!.story.split('\n').length).toBeLessThan(9)
  const again = await explore({ ...office(bug), ...options, seed: failure!.seed, disturbances: [kind] })
  expect(again.failure?.story).toBe(failure!.story)
  const flows = [flowOf(failure!.scenario, 'saved.yaml')]
  expect((await explore({ ...office(bug), ...options, flows })).failure).not.toBeNull()
})

test('an application that takes a crowd passes, and slow ones meet none', async () => {
  const all = { ...options, flows: undefined, events: undefined }
  const { failure, coverage } = await explore({ ...office(), ...all, disturbances: ['together'] })
  expect(failure?.story).toBeUndefined()
  expect(coverage.crowds.of).toBeGreaterThan(15)
  expect(coverage.crowds.played).toBe(coverage.crowds.of)
  const { handler, truth } = office()
  const slow = await explore({ handler, truth, ...options, disturbances: ['together'], timeoutMs: 0 })
  expect(slow.coverage.crowds.of).toBe(0)
})

test('an application that works on 64 events at a time and forgets the others is found by the large crowd', async () => {
  const replies: Record<string, number> = {}
  let queue: string[] = []
  const work = () => {
    for (const from of queue.slice(0, 64)) replies[from] = (replies[from] ?? 0) + 1
    queue = []
  }
  const { failure } = await explore({
    ...{ ...options, flows: ['tap', 'reply-then-stop'], disturbances: ['together'] },
    truth: () => ({ replies }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'conversation.started' && queue.push(data.from) === 1) setImmediate(work)
      return 200
    },
  })
  expect(failure?.schedule).toMatchObject({ flow: 'reply-then-stop', perturbations: [], crowd: 110 })
  expect(failure!.story).toContain('It fails only when the same happens to 110 people at once')
  expect(failure!.scenario).toContain('crowd: 110')
})

test('counters that two requests change at once are found without a repetition of each play', async () => {
  const seen = new Set<string>()
  let counts: Record<string, number> = { 'message.failed': 0, 'email.bounced': 0, 'billing.balance_low': 0 }
  let starts = 0
  const { failure } = await explore({
    ...{ disturbances: ['restart', 'duplicate', 'together'], idleSeconds: 0, seed: 'c' },
    ...{ settleMs: 20, timeoutMs: 60_000, kill() {} },
    truth: () => ({ counts }),
    restart: () => void starts++,
    async handler({ body }) {
      const { id, event } = JSON.parse(body)
      if (!(event in counts) || seen.has(id)) return 200
      seen.add(id)
      const before = counts
      await yieldToRequests()
      counts = { ...before, [event]: before[event]! + 1 }
      return 200
    },
  })
  expect(failure).toMatchObject({ schedule: { twice: true }, findings: [{ where: 'counts' }] })
  expect(starts).toBeLessThan(100)
})

test('people at once come before most disturbances of one person', async () => {
  const { failure, coverage } = await explore({
    ...{ ...office('drops what is too much'), settleMs: 20, idleSeconds: 0, timeoutMs: 60_000, seed: 'soon' },
    events: ['conversation.*'],
  })
  expect(failure?.schedule).toMatchObject({ perturbations: [], crowd: true })
  expect(coverage.single_disturbances.played).toBeLessThan(60)
})

test('an application that answers no crowd is found at the first delivery to it', async () => {
  // Each work takes one of ten connections, and then another one.
  let [free, waiting]: [number, (() => void)[]] = [10, []]
  const take = async () => {
    free--
    if (free < 0) await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  const giveBack = () => {
    free++
    waiting.shift()?.()
  }
  const replies: Record<string, number> = {}
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ replies }))
    const { event, data } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    if (event !== 'conversation.started') return void response.end()
    await take()
    await yieldToRequests()
    await take()
    replies[data.from] = 1
    giveBack()
    giveBack()
    response.end()
  })
  const url = await urlOf(server)
  const { setTimeout } = realTime
  vi.spyOn(realTime, 'setTimeout').mockImplementation((callback, ms) =>
    setTimeout(callback, ms === stepOf(options.timeoutMs) ? 100 : ms),
  )
  const { failure } = await explore({
    ...{ handler: url, truth: url, ...options, disturbances: ['together'], kill() {} },
    restart() {
      free = 10
      waiting = []
    },
  })
  expect(failure).toMatchObject({ schedule: { perturbations: [], crowd: true }, deliveries: { length: 32 } })
  expect(failure!.findings).toMatchObject([{ code: 'never-accepted', where: 'conversation.started' }])
  expect(failure!.remedies).toEqual([expect.stringMatching(/^Take one connection of a pool/)])
})

test('a search that ends before a failure was repeated says so, and does not pass', async () => {
  const controller = new AbortController()
  const explored = await explore({
    ...{ ...options, disturbances: ['duplicate'], signal: controller.signal },
    truth: () => ({ replies: {} }),
    handler: () => 200,
    kill() {},
    restart: () => controller.abort(),
  })
  expect(explored).toMatchObject({ failure: null, unsettled: 'a failure has not been repeated yet' })
  expect(explored.unrepeated).not.toEqual([])
  const byTime = { ...explored, interrupted: false, out_of_time: true }
  expect([exitCodeOf(byTime), exitCodeOf({ ...byTime, unsettled: null })]).toEqual([8, 0])
})

test('what takes long to repeat is tried once, and again after everything else', async () => {
  const { ms } = realTime
  let starts = 0
  vi.spyOn(realTime, 'ms').mockImplementation(() => ms() + starts * 20_000)
  const repliers = new Map<string, string>()
  const replies = () => [...Map.groupBy(repliers.values(), (from) => from)].map(([from, { length }]) => [from, length])
  const startsBefore: number[] = []
  const { failure, unrepeated } = await explore({
    ...{ ...options, disturbances: ['duplicate'], schedules: 6 },
    onSchedule: () => void startsBefore.push(starts),
    truth: () => ({ replies: Object.fromEntries(replies()) }),
    kill() {},
    restart: () => void starts++,
    handler({ body }) {
      const { id, event, data } = JSON.parse(body)
      // It loses what arrives before its first restart.
      if (event === 'conversation.started' && starts > 0) repliers.set(id, data.from)
      return 200
    },
  })
  expect([failure, unrepeated.length]).toEqual([null, 3])
  // Alone, the others in turn, and one of them for two people; at the end each is tried alone, too.
  expect([startsBefore, starts]).toEqual([[0, 3, 3], 8])
})

test('only the variant of a flow that is known to lead to no requests is replayed after an outage', () => {
  const event = (name: string, seq: number) => ({ seq, event: name, body: JSON.stringify({ event: name, data: {} }) })
  const recording = [event('contact.created', 1), event('contact.updated', 2)]
  const plan = planOf(recording, {
    ...{ seed: 's', variants: 2, delivered: [0, 1], idleSeconds: 0 },
    isPossible: () => true,
  })
  const flow = requireFlow('new-address', builtInFlows)
  const runOf = (_: Flow, n: number): PlannedRun => ({
    ...{ flow, draw: `s.${n % 2}`, seed: `s.${n}`, phase: plan.phaseOf(n), impact: impactOf(plan.at(n)) },
    schedule: () => plan.at(n),
  })
  const drawsWith = (requests: Partial<Requests>) => {
    const all = { changes: new Set<number>(), reads: new Set<number>(), ...requests }
    const { outage } = phaseOrdersOf([{ flow, plan }], new Set(), runOf, () => all)
    return [...outage.first, ...outage.new, ...outage.others].map(({ draw }) => draw)
  }
  const [draw, ...others] = drawsWith({})
  expect(others).toEqual([])
  expect(drawsWith({ draw: draw! })).toEqual([draw])
  expect(drawsWith({ draw: draw === 's.0' ? 's.1' : 's.0' })).toEqual([])
  expect(drawsWith({ draw: draw!, changes: new Set([1]) })).toEqual([])
})

const PAGE = 20

/** An application that confirms each STOP, and revokes the consents of the person, whom it looks for in a page of messages. */
function desk(pageFor: (phone: string) => Parameters<Client['messages']['list']>[0]) {
  const seen = new Set<string>()
  let waiting = 0
  const handler: HandlerFunction = async ({ body }, environment) => {
    const { id, event, data } = JSON.parse(body)
    if (event !== 'conversation.started' || seen.has(id)) return 200
    seen.add(id)
    waiting++
    const client = createClient(environment)
    const { agent_id, from } = data
    const content = { text: 'You get no more messages.' }
    const confirmation = { message_type: 'CONVERSATION', traffic_type: 'ACKNOWLEDGEMENT', content } as const
    const options = { idempotencyKey: id.slice('evt_'.length) }
    const { messages } = await client.messages.list(pageFor(from))
    const contact = messages.find(({ to }) => to === from)?.contact_id
    await client.messages.send({ ...confirmation, agent_id, to: from }, options)
    const { consent_records } = contact ? await client.consent.list(contact) : { consent_records: [] }
    for (const { id } of consent_records) await client.consent.revoke(contact!, id)
    waiting--
    return 200
  }
  return { handler, truth: () => ({ pending: waiting }) }
}

test('a crowd about which the application asks is known to the service, and judged', async () => {
  const stops = { ...options, flows: ['opt-out'], events: ['*'], disturbances: ['together'], schedules: 30 } as const
  const { failure } = await explore({ ...desk(() => ({ limit: PAGE })), ...stops })
  expect(failure).toMatchObject({ schedule: { crowd: true }, findings: [{ code: 'stop-not-recorded' }] })
  const right = await explore({ ...desk((to) => ({ to, limit: 1 })), ...stops })
  expect(right.failure?.story).toBeUndefined()
  expect(right.coverage.crowds).toEqual({ played: 1, of: 1 })
})

const SLOTS = 8

/**
 * An application that answers each reply as an agent that does not exist, and each tap with nothing, with a limited number
 * of calls at a time.
 */
function clerk(givesBack: (isTap: boolean) => boolean) {
  const seen = new Set<string>()
  const replies: Record<string, number> = {}
  let calls = 0
  const restart = () => {
    calls = 0
  }
  const handler: HandlerFunction = async ({ body }, environment) => {
    const { id, event, data } = JSON.parse(body)
    if (event !== 'conversation.started' || seen.has(id)) return 200
    if (calls === SLOTS) return 503
    calls++
    seen.add(id)
    replies[data.from] = (replies[data.from] ?? 0) + 1
    const { messages } = createClient(environment)
    const isTap = Boolean(data.user_message.postback_data)
    const content = isTap ? {} : { text: 'Thanks' }
    const send = { message_type: 'CONVERSATION', traffic_type: 'TRANSACTION', content } as const
    const options = { idempotencyKey: id.slice('evt_'.length) }
    const refused = await messages.send({ ...send, agent_id: UNKNOWN, to: data.from }, options).catch((error) => error)
    if (givesBack(isTap) || !(refused instanceof Error)) calls--
    return 200
  }
  return { handler, truth: () => ({ replies }), kill: restart, restart }
}

test('what each refused call uses up is found by a crowd, and repeated by seed', async () => {
  const flows = [
    ...['conversation', 'open-conversation', 'reopened-session'].map((name) => requireFlow(name, builtInFlows)),
    { ...requireFlow('tap', builtInFlows), variants: SLOTS + 1 },
  ]
  const all = { ...options, flows, disturbances: [], seed: 'c', schedules: 24 }
  const losesTaps = (isTap: boolean) => !isTap
  const { failure } = await explore({ ...clerk(losesTaps), ...all })
  expect(failure).toMatchObject({
    schedule: { crowd: true, perturbations: [] },
    findings: expect.arrayContaining([expect.objectContaining({ code: 'never-accepted' })]),
    remedies: expect.arrayContaining([expect.stringMatching(/^Give back what a call has used/)]),
  })
  expect(failure?.story).toMatch(/the application calls POST \/v1\/messages → 400/)
  const again = await explore({ ...clerk(losesTaps), ...all, seed: failure!.seed })
  expect(again.failure).toMatchObject({ schedule: { crowd: true } })
  const fixed = await explore({ ...clerk(() => true), ...all, seed: failure!.seed })
  expect(fixed.failure?.story).toBeUndefined()
})

test('a restart after a long body is a schedule of its own, because what is read in pieces after a start may be cut', () => {
  const event = (seq: number, text: string) => ({
    ...{ seq, event: 'contact.updated', body: JSON.stringify({ event: 'contact.updated', data: { text } }) },
  })
  const { at, systematic, topicsOf } = planOf([event(1, 'short'), event(2, 'x'.repeat(5_000))], {
    ...{ seed: 's', variants: 1, delivered: [0, 1], idleSeconds: 0, isPossible: () => true },
  })
  const topicsOfKind = (kind: string) =>
    new Set(
      Array.from({ length: systematic }, (_, n) => n)
        .filter(
          (n) =>
            at(n)
              .perturbations.map((one) => one.kind + (one.form ?? ''))
              .join() === kind,
        )
        .flatMap(topicsOf),
    )
  expect(topicsOfKind('restart').size).toBe(2)
  expect(topicsOfKind('duplicate').size).toBe(1)
})

const STATUSES = [
  ...['queued', 'delivered', 'read', 'failed', 'expired', 'revoked'].map((one) => `message.${one}`),
  ...['delivered', 'opened', 'clicked'].map((one) => `email.${one}`),
]

/** The plan of a flow in which nothing but the order of its events is disturbed. */
const planOfEvents = (events: readonly [name: string, data: object][]) =>
  planOf(
    events.map(([event, data], seq) => ({ seq, event, body: JSON.stringify({ event, data }) })),
    { seed: 's', variants: 1, delivered: [...events.keys()], idleSeconds: 0, isPossible: (kind) => kind === 'delay' },
  )

/** The first schedules with one disturbance, for an application that believes something about these sections. */
function openingOf(plans: Readonly<Record<string, ReturnType<typeof planOfEvents>>>, ...believed: string[]) {
  const { single } = phaseOrdersOf(
    Object.entries(plans).map(([name, plan]) => ({ flow: requireFlow(name, builtInFlows), plan })),
    new Set(believed),
    (flow, n) => {
      const plan = plans[flow.name]!
      const run = { flow, draw: 's.0', seed: `${flow.name}.${n}`, phase: plan.phaseOf(n), impact: impactOf(plan.at(n)) }
      return { ...run, schedule: () => plan.at(n) }
    },
    () => undefined,
  )
  return single.opening
}

test('events that arrive after the end of their contact are a kind of their own, which is tried early', () => {
  const about = { contact_id: 'c_1', channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED' }
  const plans = {
    // Each event behind up to eight others, and all change what the application believes.
    expiry: planOfEvents(STATUSES.map((name) => [name, { message_id: 'msg_1', to: '+491713920000' }])),
    'deleted-contact': planOfEvents([
      ['consent.created', about],
      ['contact.deleted', { contact_id: 'c_1' }],
    ]),
  }
  const opening = openingOf(plans, 'messages')
  expect(opening.length).toBeLessThan(12)
  expect(opening.map(({ flow }) => flow.name)).toContain('deleted-contact')
})

test('an event is late first where an event before it changes the same', () => {
  const campaign_id = '00000000-0000-4000-8000-000000000101'
  const run = (event: string, run_id: string, status: string): [string, object] => [
    event,
    { campaign_id, run_id, status },
  ]
  const plan = planOfEvents([
    run('campaign.completed', 'run_1', 'COMPLETED'),
    run('campaign.started', 'run_2', 'RUNNING'),
    ...STATUSES.map((name, i): [string, object] => [name, { message_id: `msg_${i}` }]),
  ])
  const late = openingOf({ 'repeated-campaign': plan }, 'messages', 'campaigns').map((one) => one.schedule([]))
  // Without its run, it would come in the order of the flow: last.
  const first = late.slice(0, 2).map(({ perturbations: [one] }) => one!.event)
  expect(first).toContain(0)
})

test('a restart after a long event is in the first turn, although its event changes what others change, too', () => {
  const names = ['queued', 'dispatched', 'delivered', 'read', 'failed', 'expired'].map((one) => `message.${one}`)
  const events = names.map((event, seq) => ({
    ...{ seq, event },
    body: JSON.stringify({ event, data: { message_id: 'msg_1', text: 'x'.repeat(seq === 0 ? 5_000 : 5) } }),
  }))
  const plan = planOf(events, {
    ...{ seed: 's', variants: 1, delivered: [...names.keys()], idleSeconds: 0 },
    isPossible: (kind) => kind === 'restart',
  })
  const flow = requireFlow('expiry', builtInFlows)
  const { single } = phaseOrdersOf(
    [{ flow, plan }],
    new Set(['messages']),
    (_, n) => ({
      ...{ flow, draw: 's.0', seed: `expiry.${n}`, phase: plan.phaseOf(n), impact: impactOf(plan.at(n)) },
      schedule: () => plan.at(n),
    }),
    () => undefined,
  )
  const restarted = single.first.map((run) => run.schedule(events).perturbations[0]!)
  expect(restarted.length).toBeLessThan(8)
  expect(restarted).toContainEqual({ kind: 'restart', event: 0 })
})
