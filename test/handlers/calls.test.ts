import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { isStop } from '../../src/handlers/audit/stop.ts'
import type { Environment, Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { gateBefore } from '../../src/handlers/explore/gate.ts'

interface Job {
  id: string
  data: { agent_id: string; from: string; user_message: { text: string } }
}

type Bug = 'notes the answer before it sends it' | 'has a key for each attempt'

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
    const kind = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' }
    await fetch(`${environment.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${environment.apiKey}`, 'Content-Type': 'application/json' },
        'Idempotency-Key': bug === 'has a key for each attempt' ? start + key.slice(start.length) : key,
      },
      body: JSON.stringify({ agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Thank you' } }),
      signal,
    })
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

const killedAt = (at: 'call' | 'effect') => ({
  ...{ flow: 'tap', draw: 'c.tap.0', events: [0, 1, 2, 3, 4, 5] },
  perturbations: [{ kind: 'kill' as const, event: 5, at }],
})

test('an answer that a kill has delayed need not be sent any more when STOP has arrived', async () => {
  const { handler, kill, truth } = clerk(undefined, true)
  const stopped = new Set<string>()
  const { failure } = await explore({
    ...soon,
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
    remedies: [expect.stringContaining('Note a call as done only after its answer'), expect.anything()],
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

for (const hasOutbox of [false, true])
  for (const at of ['call', 'effect'] as const)
    test(`an application ${hasOutbox ? 'with' : 'without'} an outbox survives a kill at the ${at}`, async () => {
      const { failure, audited } = await explore({ ...clerk(undefined, hasOutbox), ...soon, schedule: killedAt(at) })
      expect(failure?.story).toBeUndefined()
      expect(audited).toBe(true)
    })

test('only events that lead to calls are tried with kills at calls, and a failure repeats by its seed', async () => {
  const kills = { disturbances: ['kill'], events: ['conversation.*', 'message.read'], idleSeconds: 0 } as const
  const options = { flows: ['tap'], ...kills, ...soon }
  const right = await explore({ ...clerk(), ...options, schedules: 9 })
  // Three instants of each of two deliveries, and two of the call.
  expect(right).toMatchObject({ failure: null, coverage: { single_disturbances: { played: 8, of: 8 } } })
  const wrong = () => clerk('notes the answer before it sends it')
  const { failure } = await explore({ ...wrong(), ...options })
  const again = await explore({ ...wrong(), ...options, seed: failure!.seed })
  expect(again.failure?.story).toBe(failure!.story)
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

/** Passes requests on; `arrived` resolves after each. */
async function serverOf(listener: RequestListener) {
  let next = Promise.withResolvers<void>()
  const server = createServer((req, res) => {
    listener(req, res)
    next.resolve()
    next = Promise.withResolvers()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1/messages`
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
