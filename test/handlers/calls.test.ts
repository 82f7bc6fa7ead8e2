import { createServer, type RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { Environment, Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Flow } from '../../src/handlers/explore/flow.ts'
import { builtInFlows, requireFlow } from '../../src/handlers/explore/flows/index.ts'
import { gateBefore } from '../../src/handlers/explore/gate.ts'
import { batchesOf, impactOf, type PlannedRun, phaseOrdersOf } from '../../src/handlers/explore/phase-order.ts'
import { planOf } from '../../src/handlers/explore/plan.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { stopwatch } from '../../src/http/stopwatch.ts'
import type { CallInstant } from '../../src/scenarios/deliveries.ts'
import { isStop } from '../../src/words/stop.ts'
import { urlOf } from '../url-of.ts'
import { sendText } from './send-text.ts'

interface Job {
  id: string
  data: { agent_id: string; from: string; user_message: { text: string } }
}

type Bug = 'has one key' | 'notes the answer before it sends it' | 'has a key for each attempt'

const ONE_KEY = '00000000-0000-4000-8000-000000000000'

/** An application that answers each reply once and keeps what it stores; a kill ends its calls. */
function clerk(bug?: Bug, hasOutbox = false) {
  let life = new AbortController()
  let attempts = 0
  let environment: Environment
  const [sent, outbox] = [new Set<string>(), new Map<string, Job>()]
  const send = async ({ id, data }: Job) => {
    const { signal } = life
    if (sent.has(id)) return
    if (bug === 'notes the answer before it sends it') sent.add(id)
    const key = id.slice('evt_'.length)
    const start = String(attempts++).padStart(8, '0')
    const ownKey =
      bug === 'has one key' ? ONE_KEY : bug === 'has a key for each attempt' ? start + key.slice(start.length) : key
    await sendText(environment, ownKey, { agent_id: data.agent_id, to: data.from }, signal)
    sent.add(id)
    outbox.delete(id)
  }
  const stop = () => {
    life.abort()
    life = new AbortController()
  }
  return {
    truth: () => ({ sends: { reply: 1 }, pending: outbox.size }),
    kill: stop,
    restart() {
      stop()
      for (const job of outbox.values()) send(job).catch(() => {})
    },
    async handler({ body }: Webhook, where: Environment) {
      environment = where
      const { event, ...job } = JSON.parse(body)
      if (event !== 'conversation.started' || isStop(job.data.user_message.text)) return 200
      if (!hasOutbox) await send(job)
      else if (!sent.has(job.id) && !outbox.has(job.id)) {
        outbox.set(job.id, job)
        send(job).catch(() => {})
      }
      return 200
    },
  }
}

/** The application makes its call before its answer, so nothing depends on this. */
const soon = { settleMs: 20 }

/** No crowd would be answered within such a limit, which functions do not have. */
const withoutCrowds = { timeoutMs: 0 }

const killedAt = (at: CallInstant) => ({
  ...{ flow: 'tap', draw: 'c.tap.0', events: [0, 1, 2, 3, 4, 5] },
  perturbations: [{ kind: 'kill' as const, event: 5, at }],
})

test('an answer that a kill has delayed need not be sent any more when STOP has arrived', async () => {
  const { handler, kill, truth } = clerk(undefined, true)
  const stopped = new Set<string>()
  const { failure } = await explore({
    // Its call comes after its answer: a kill at the call waits twice as long for it.
    settleMs: 250,
    ...{ kill, truth: () => ({ ...truth(), pending: 0 }) },
    // Its worker begins again some time after the start, and finds STOP.
    restart: () => kill(),
    schedule: {
      ...{ flow: 'reply-then-stop', draw: 'c.reply-then-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
      perturbations: [{ kind: 'kill', event: 5, at: 'call' }],
    },
    handler(webhook, environment) {
      const { event, data } = JSON.parse(webhook.body)
      if (event === 'conversation.started' && isStop(data.user_message.text)) stopped.add(data.from)
      return handler(webhook, environment)
    },
  })
  expect(stopped.size).toBeGreaterThan(0)
  expect(failure?.story).toBeUndefined()
})

test('an answer that is noted as sent before it is sent is found by a kill before the call has an effect', async () => {
  const { failure } = await explore({
    ...clerk('notes the answer before it sends it'),
    ...soon,
    schedule: killedAt('call'),
  })
  expect(failure).toMatchObject({
    findings: [{ code: 'sends-differ', message: expect.stringContaining('0 messages were sent, 1 message') }],
    remedies: [expect.stringContaining('Mark a call as done only after its answer'), expect.anything()],
    story: expect.stringContaining('killed when its call reaches the sandbox, which does not carry it out'),
  })
})

test('a key for each attempt is found by a kill between the effect of a call and its answer', async () => {
  const { failure } = await explore({ ...clerk('has a key for each attempt'), ...soon, schedule: killedAt('effect') })
  expect(failure).toMatchObject({
    findings: [{ code: 'key-changed-on-retry' }, { code: 'sends-differ' }],
    remedies: expect.arrayContaining([expect.stringContaining('store it before the first attempt')]),
    story: expect.stringContaining('killed when its call was carried out, before it gets the answer'),
  })
})

for (const isNotedFirst of [true, false])
  test(`an event that is noted ${isNotedFirst ? 'before' : 'after'} a read of the API is ${isNotedFirst ? 'found' : 'not blamed'} by a kill at the read`, async () => {
    const { handler, kill, restart, truth } = clerk()
    const noted = new Set<string>()
    let life = new AbortController()
    const { failure } = await explore({
      ...{ truth, restart, ...soon, schedule: killedAt('read') },
      kill() {
        life.abort()
        life = new AbortController()
        kill()
      },
      async handler(webhook, environment) {
        const { id, event } = JSON.parse(webhook.body)
        if (event !== 'conversation.started') return 200
        if (noted.has(id)) return 200
        if (isNotedFirst) noted.add(id)
        const headers = { Authorization: `Bearer ${environment.apiKey}` }
        await fetch(`${environment.baseUrl}/v1/billing/balance`, { headers, signal: life.signal })
        noted.add(id)
        return handler(webhook, environment)
      },
    })
    expect(failure?.findings[0]?.code).toBe(isNotedFirst ? 'sends-differ' : undefined)
    if (isNotedFirst) expect(failure!.story).toContain('killed when its read reaches the sandbox')
  })

test('a read that names the person only in escapes is tried with a kill, too', async () => {
  const { handler, ...application } = clerk()
  const { coverage } = await explore({
    ...{ ...application, ...soon, disturbances: ['kill'], flows: ['tap'], events: ['conversation.*'], idleSeconds: 0 },
    schedules: 8,
    async handler(webhook, environment) {
      const { event, data } = JSON.parse(webhook.body)
      const headers = { Authorization: `Bearer ${environment.apiKey}` }
      if (event === 'conversation.started')
        await fetch(`${environment.baseUrl}/v1/messages?to=${encodeURIComponent(data.from)}`, { headers })
      return handler(webhook, environment)
    },
  })
  // Three instants of the delivery, the read, and two of the send.
  expect(coverage.single_disturbances.of).toBe(6)
})

for (const hasOutbox of [false, true])
  for (const at of ['call', 'effect'] as const)
    test(`an application ${hasOutbox ? 'with' : 'without'} an outbox survives a kill at the ${at}`, async () => {
      const { failure, audited } = await explore({ ...clerk(undefined, hasOutbox), ...soon, schedule: killedAt(at) })
      expect(failure?.story).toBeUndefined()
      expect(audited).toBe(true)
    })

test('only events that lead to calls are tried with kills at calls, and a failure repeats by its seed', async () => {
  const kills = { disturbances: ['kill'], events: ['conversation.*', 'message.read'], idleSeconds: 0 } as const
  const options = { flows: ['tap'], ...kills, ...soon, ...withoutCrowds }
  const right = await explore({ ...clerk(), ...options, schedules: 11 })
  // Three instants of each of two deliveries, and two of the call.
  expect(right).toMatchObject({ failure: null, coverage: { single_disturbances: { played: 8, of: 8 } } })
  const wrong = () => clerk('notes the answer before it sends it')
  const { failure } = await explore({ ...wrong(), ...options })
  const again = await explore({ ...wrong(), ...options, seed: failure!.seed })
  expect(again.failure?.story).toBe(failure!.story)
})

test('the people of a saved long history are in the same world, and can be answered', async () => {
  const schedule = {
    ...{ flow: 'open-conversation', draw: 's', events: [0, 1, 2, 3, 4, 5] },
    perturbations: [{ kind: 'history' as const, others: 14, event: 5 }],
  }
  const expectsTwo = { ...clerk(), truth: () => ({ sends: { reply: 2 } }) }
  const { failure } = await explore({ ...expectsTwo, schedule, ...soon })
  const again = await explore({ ...clerk(), flows: [flowOf(failure!.scenario, 'saved.yaml')], ...soon })
  expect(failure!.scenario).toContain('others: 14')
  expect(again.failure?.story).toBeUndefined()
})

test('the work on many others, one after the other, is waited for and is no endless loop', async () => {
  let [pending, most] = [0, 0]
  let work = Promise.resolve()
  const answer = async ({ id, data }: Job, environment: Environment) => {
    await sleep(5)
    const kind = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
    const text = { agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Thank you' } }
    await createClient(environment).messages.send(text, { idempotencyKey: id.slice('evt_'.length) })
  }
  const { failure, audited } = await explore({
    schedule: {
      ...{ flow: 'open-conversation', draw: 's', events: [0, 1, 2, 3, 4, 5] },
      perturbations: [{ kind: 'history', others: 200, event: 0 }],
    },
    ...soon,
    truth: () => ({ sends: { reply: 1 }, pending }),
    handler({ body }, environment) {
      const { event, ...job } = JSON.parse(body)
      if (event !== 'conversation.started') return 200
      most = Math.max(most, ++pending)
      work = work.then(() => answer(job, environment)).finally(() => pending--)
      return 202
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
  // Those who share their waits answer twice.
  expect(most).toBeLessThanOrEqual(2 * 16)
})

test('an application that calls need not know the events of more than a day of the world', async () => {
  const day = 25 * 3_600_000
  const { handler, ...others } = clerk()
  const seen = new Map<string, number>()
  let newest = Number.NEGATIVE_INFINITY
  const replies: Record<string, number> = {}
  const { failure, audited, coverage } = await explore({
    ...{ ...others, ...soon, flows: ['open-conversation', 'turn-of-time'], seed: 'c' },
    ...{ disturbances: ['history', 'idle'], idleSeconds: 1 },
    truth: () => ({ ...others.truth(), replies }),
    async handler(webhook, environment) {
      const { id, event, timestamp, data } = JSON.parse(webhook.body)
      const isKnown = (seen.get(id) ?? Number.NEGATIVE_INFINITY) > newest - day
      seen.set(id, Date.parse(timestamp))
      newest = Math.max(newest, Date.parse(timestamp))
      if (isKnown) return 200
      const status = await handler(webhook, environment)
      if (event === 'conversation.started') replies[data.from] = (replies[data.from] ?? 0) + 1
      return status
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
  expect(coverage).toMatchObject({ histories: { played: 1, of: 1 }, pauses: { played: 1 } })
})

test('a window of time of an application that calls is found without a second pause', async () => {
  const { handler, ...others } = clerk()
  const seen = new Map<string, () => number>()
  const replies: Record<string, number> = {}
  const received: (() => number)[] = []
  const options = { ...soon, flows: ['open-conversation'], disturbances: ['idle'], idleSeconds: 2, seed: 'w' } as const
  const { failure } = await explore({
    ...{ ...others, ...options },
    truth: () => ({ ...others.truth(), replies }),
    async handler(webhook, environment) {
      const { id, event, data } = JSON.parse(webhook.body)
      received.push(stopwatch())
      const isKnown = (seen.get(id)?.() ?? 2_000) < 1_000
      seen.set(id, stopwatch())
      if (isKnown) return 200
      const status = await handler(webhook, environment)
      if (event === 'conversation.started') replies[data.from] = (replies[data.from] ?? 0) + 1
      return status
    },
  })
  expect(failure!.findings).toContainEqual(expect.objectContaining({ where: 'replies' }))
  expect(new Set(failure!.schedule.perturbations.map(({ kind }) => kind))).toEqual(new Set(['idle']))
  const pauses = received.filter((since, i) => i > 0 && received[i - 1]!() - since() > 1_500)
  expect(pauses).toHaveLength(1)
})

test('undisturbed flows are played only once, except those before the first call', async () => {
  const { handler, kill, ...others } = clerk()
  let [received, undisturbed] = [0, 0]
  const { failure } = await explore({
    ...others,
    ...{ ...soon, ...withoutCrowds },
    ...{ events: ['conversation.*'], disturbances: ['kill'], idleSeconds: 0, schedules: 18 },
    flows: [
      {
        ...{ name: 'reply', summary: 'a user replies', variants: 17 },
        async run({ client, trigger, agentId, person }) {
          const { phone } = await person(['RCS', 'MESSAGE'])
          const kind = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
          const content = { text: 'Shall we?' }
          const { message_id } = await client.messages.send({ agent_id: agentId, to: phone, ...kind, content })
          await trigger('message.delivered', { message_id })
          await trigger('conversation.started', { message_id, text: 'Yes' })
        },
      },
    ],
    handler(webhook, environment) {
      received++
      return handler(webhook, environment)
    },
    kill() {
      undisturbed ||= received - 1
      kill()
    },
  })
  expect(failure?.story).toBeUndefined()
  // One before all flows, the variants of the flow, and one of them once more.
  expect(undisturbed).toBe(1 + 17 + 1)
})

test('a key that people share is tried first with those who got the messages', async () => {
  const { handler, ...others } = clerk('has one key')
  let received = 0
  const tap = requireFlow('tap', builtInFlows)
  const { failure } = await explore({
    ...{ ...others, ...soon },
    flows: ['order-notification', 'failure', 'expiry', 'opt-in', 'consent-records', tap, { ...tap, name: 'again' }],
    handler(webhook, environment) {
      received++
      return handler(webhook, environment)
    },
  })
  expect(failure).toMatchObject({ schedule: { twice: true }, findings: [{ code: 'key-reused' }, {}] })
  expect(failure!.story).toContain('key-reused: key 1 was used with another body before')
  // The flows, and about ten plays for two people; 278 when the others are tried as well.
  expect(received).toBeLessThan(230)
})

test('a kill at a call that does not come is a restart', async () => {
  const schedule = { ...killedAt('call'), perturbations: [{ kind: 'kill' as const, event: 4, at: 'call' as const }] }
  const { failure } = await explore({
    ...clerk(),
    ...{ schedule, ...soon },
    truth: () => ({ messages: {} }),
  })
  expect(failure?.story).toContain('then the application is restarted')
})

/** The first schedules of a recording with events of these names, all about one message or its conversation. */
function firstOf(names: readonly string[], kind: string, { believed = [] as string[], callsAt = [] as number[] }) {
  const data = { message_id: 'msg_1', to: '+491', contact_id: 'c_1' }
  const dataOf = (event: string) => (event === 'conversation.ended' ? { with: '+491', reason: 'ttl_expired' } : data)
  const recording = names.map((event, i) => ({
    ...{ seq: i + 1, event },
    body: JSON.stringify({ event, data: dataOf(event) }),
  }))
  const delivered = [...names.keys()]
  const isPossible = (one: string) => one === kind
  const plan = planOf(recording, { seed: 's', variants: 1, delivered, isPossible, idleSeconds: 0 })
  const flow = requireFlow('tap', builtInFlows)
  const runOf = (_: Flow, n: number): PlannedRun => ({
    ...{ flow, draw: 's', seed: `s.${n}`, phase: plan.phaseOf(n), impact: impactOf(plan.at(n)) },
    schedule: () => plan.at(n),
  })
  const requests = { changes: new Set(callsAt), reads: new Set<number>() }
  return phaseOrdersOf([{ flow, plan }], new Set(believed), runOf, () => requests).single.first
}

test('nothing is played beside a kill at a call of the last event, whose worker another event would wake', () => {
  const first = firstOf(['contact.created', 'contact.updated', 'message.read'], 'kill', { callsAt: [0, 1, 2] })
  const batches = [...batchesOf(first, 16)].map((runs) =>
    runs.flatMap((run) => run.schedule([]).perturbations.map(({ at, event }) => `${at} ${event}`)),
  )
  expect(batches).toEqual(expect.arrayContaining([['call 2'], ['effect 2']]))
})

test('nothing is played beside a restart at the last event, whose worker another event would wake', () => {
  const first = firstOf(['contact.created', 'contact.updated', 'message.read'], 'restart', {})
  const batches = [...batchesOf(first, 16)].map((runs) =>
    runs.flatMap((run) => run.schedule([]).perturbations.map(({ event }) => event)),
  )
  expect(batches).toContainEqual([2])
})

test('new values come first where a field has several', () => {
  const names = [...Array(30).fill('message.read'), 'conversation.ended', 'message.failed', 'message.expired']
  const [first] = firstOf(names, 'new-value', { believed: ['messages'] })
  expect(names[first!.schedule([]).perturbations[0]!.event]).toBe('conversation.ended')
})

test('an unknown event of each family comes early, also of one that the application does not keep', () => {
  const statuses = ['queued', 'delivered', 'read', 'failed', 'expired', 'revoked', 'bounced', 'opened', 'clicked']
  const names = ['contact.created', ...statuses.map((status) => `message.${status}`)]
  const disturbed = firstOf(names, 'unknown', { believed: ['messages'] }).flatMap(
    (run) => run.schedule([]).perturbations,
  )
  expect(disturbed.map(({ event }) => names[event])).toContain('contact.created')
})

/** Passes requests on; `arrived` resolves after each. */
async function serverOf(listener: RequestListener) {
  let next = Promise.withResolvers<void>()
  const server = createServer((req, res) => {
    listener(req, res)
    next.resolve()
    next = Promise.withResolvers()
  })
  const url = `${await urlOf(server)}/v1/messages`
  return { url, arrived: () => next.promise }
}

test('a held call has no effect after its end, and neither has the next one', async () => {
  const carriedOut: string[] = []
  const gate = gateBefore((req, res) => {
    carriedOut.push(req.method!)
    res.writeHead(201, { 'X-Request-Id': `req_${carriedOut.length}` }).end()
  })
  const { url, arrived } = await serverOf(gate.answer)
  const send = () =>
    fetch(url, { method: 'POST' }).then(
      ({ status }) => status,
      () => 'no answer',
    )
  const before = gate.hold('call')
  const [first, read] = [send(), fetch(url)]
  await before.reached
  expect((await read).status).toBe(201)
  before.end()
  expect(await first).toBe('no answer')
  expect(carriedOut).toEqual(['GET'])

  const after = gate.hold('effect')
  const held = send()
  await after.reached
  const [next] = [send(), await arrived()]
  after.end()
  expect(await Promise.all([held, next])).toEqual(['no answer', 'no answer'])
  expect([...gate.unanswered]).toEqual(['req_2'])
  expect(await send()).toBe(201)
})

/** Reads each sender from the service, and keeps only the consents by RCS and email. */
function readerWithoutSms() {
  const consent: Record<string, Record<string, string>> = {}
  return {
    truth: () => ({ consent }),
    async handler({ body }: Webhook, { baseUrl, apiKey }: Environment) {
      const { event, data } = JSON.parse(body)
      if (event === 'contact.created') consent[data.contact_id] = {}
      if (/^consent\.(created|updated)$/.test(event) && data.channel_type !== 'SMS')
        consent[data.contact_id]![`${data.channel_type}/${data.message_type}`] = data.status
      if (event === 'conversation.started')
        await (await fetch(`${baseUrl}/v1/billing/balance`, { headers: { authorization: `Bearer ${apiKey}` } })).text()
      return 200
    },
  }
}

test('what an application calls for other events does not change how a failure without calls is reduced', async () => {
  const options = { ...readerWithoutSms(), flows: ['tap', 'consent-records'], settleMs: 20, idleSeconds: 0 }
  const { failure, audited } = await explore({ ...options, seed: 's', schedules: 200 })
  expect(audited).toBe(true)
  expect(failure?.flow).toBe('consent-records')
  expect((await explore({ ...options, seed: failure!.seed })).failure?.story).toBe(failure!.story)
})

/** An application that answers some events with a message, one with each look at its queue. */
const worker = (isAnswered: (event: string) => boolean) => {
  const queue: { id: string; data: { agent_id: string; from?: string; to?: string } }[] = []
  const received = new Set<string>()
  let environment: Environment
  return {
    async truth() {
      const next = queue.shift()
      if (!next) return { sends: {}, pending: 0 }
      const { agent_id, from, to } = next.data
      const message = { agent_id, to: from ?? to, text: `Thank you for ${next.id}` }
      await sendText(environment, next.id.slice('evt_'.length), message)
      return { sends: {}, pending: queue.length }
    },
    handler({ body }: Webhook, where: Environment) {
      environment = where
      const { id, event, data } = JSON.parse(body)
      if (isAnswered(event) && !received.has(id)) queue.push({ id, data })
      received.add(id)
      return 200
    },
  }
}

test('a worker that answers many texts one by one comes to rest', async () => {
  const options = { flows: ['long-conversation'], schedules: 1, settleMs: 20 }
  const { failure, audited } = await explore({ ...worker((event) => event === 'conversation.started'), ...options })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

test('an application that answers the events of its own messages never comes to rest', async () => {
  const options = { flows: ['order-notification'], schedules: 1, settleMs: 20 }
  const { failure } = await explore({ ...worker((event) => event === 'message.delivered'), ...options })
  expect(failure?.findings.map(({ code }) => code)).toContain('never-settles')
})
