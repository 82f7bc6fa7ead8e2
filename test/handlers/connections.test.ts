import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { Application, HandlerFunction, Webhook } from '../../src/handlers/explore/application.ts'
import { startCommand, startWatchdog } from '../../src/handlers/explore/commands/shell.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { sign } from '../../src/http/signature.ts'
import { stopwatch } from '../../src/http/stopwatch.ts'
import { type Form, forms, type Perturbation } from '../../src/scenarios/deliveries.ts'
import { urlOf } from '../url-of.ts'
import { shop } from './shop.ts'

type Read = () => Promise<string>
type Work = (request: IncomingMessage, body: string) => Promise<number>
/** Returns the answer to a delivery; throws if its body breaks off. */
type Habit = (request: IncomingMessage, read: Read, work: Work) => Promise<number>

const usual: Habit = async (request, read, work) => work(request, await read())

/** A correct shop behind HTTP, with a habit. */
async function serve(habit: Habit): Promise<Pick<Application, 'handler' | 'truth' | 'restart'>> {
  const { handler, truth, restart } = shop()
  const environment = { baseUrl: '', apiKey: '', secret: '' }
  const work: Work = async ({ headers }, body) => {
    const webhook = { url: '/', method: 'POST' as const, headers: headers as Record<string, string>, body }
    const answer = (await handler(webhook, environment)) as number | { status: number }
    return typeof answer === 'number' ? answer : answer.status
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(truth()))
    const status = await habit(request, () => bodyOf(request), work).catch(() => undefined)
    if (status !== undefined) response.writeHead(status).end()
  })
  const url = await urlOf(server)
  return { handler: url, truth: url, restart }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Works on one delivery after another, and refuses a sender that is slow. */
function inTurn(limitMs: number): Habit {
  let last: Promise<unknown> = Promise.resolve()
  return (request, read, work) => {
    const answer = async () => {
      const late = new Promise<number>((resolve) => setTimeout(resolve, limitMs, 408).unref())
      return Promise.race([usual(request, read, work), late])
    }
    const next = last.then(answer)
    last = next.catch(() => {})
    return next
  }
}

/** Answers 409 while an event is in progress, by the id in its header. */
function oneAtATime(): Habit {
  const inProgress = new Set<string>()
  return async (request, read, work) => {
    const id = String(request.headers['x-service-event-id'])
    if (inProgress.has(id)) return 409
    inProgress.add(id)
    return usual(request, read, work).finally(() => inProgress.delete(id))
  }
}

const requiresHeaderOfBody: Habit = async (request, read, work) => {
  const body = await read()
  return JSON.parse(body).id === request.headers['x-service-event-id'] ? work(request, body) : 400
}

const failsOnForgeries: Habit = async (request, read, work) => {
  const status = await usual(request, read, work)
  return status === 401 ? 500 : status
}

const each = (kind: 'forgery' | 'spelling' | 'connection' | 'restart', form: Form): Perturbation[] =>
  [5, 6].map((event) => ({ kind, event, form }))

/** Two events with each form of a disturbance. A schedule has one form for an event itself, and any number of forgeries of it. */
const schedules = [
  [...each('spelling', 'headers'), ...forms.forgery.flatMap((form) => each('forgery', form))],
  ...forms.connection.map((form) => each('connection', form)),
  ...forms.restart.map((form) => each('restart', form)),
]

const flow = { flow: 'conversation', draw: 's.conversation.0', events: [0, 1, 2, 3, 4, 5, 6] }

test.each([
  ['is usual', usual],
  ['works on one delivery after another, and refuses a slow sender', inTurn(100)],
  ['refuses an event while it is in progress', oneAtATime()],
  ['refuses a header that differs from the body', requiresHeaderOfBody],
  ['answers 500 to forgeries', failsOnForgeries],
] as const)('a correct handler that %s is not blamed for a connection, a header or a forgery', async (_, habit) => {
  const application = await serve(habit)
  for (const perturbations of schedules) {
    const { failure } = await explore({ ...application, settleMs: 20, schedule: { ...flow, perturbations } })
    expect(failure?.story).toBeUndefined()
  }
})

/** An error in one delivery keeps the place that it has taken. */
function neverOver(): Habit {
  let isTaken = false
  return async (request, read, work) => {
    if (isTaken) return 503
    isTaken = true
    const status = await usual(request, read, work)
    isTaken = false
    return status
  }
}

const inPieces: Habit = async (request, _, work) => {
  let body = ''
  for await (const piece of request) body += piece.toString()
  return work(request, body)
}

/** Keeps events and works on them later; what is kept survives a kill. */
function diary() {
  const replies: Record<string, number> = {}
  const seen = new Set<string>()
  const queue: string[] = []
  return {
    queue,
    seen,
    restart: () => {},
    truth() {
      const from = queue.shift()
      if (from) replies[from] = (replies[from] ?? 0) + 1
      return { replies, pending: queue.length }
    },
    handler({ headers, body }: Webhook) {
      if (headers['x-service-signature'] !== sign('whsec_explore', body)) return 401
      const { id, event, data } = JSON.parse(body)
      if (event === 'conversation.started' && !seen.has(id)) queue.push(data.from)
      seen.add(id)
      return 202
    },
  }
}

/** Workers that get the connections in turn. */
function oneOf(...workers: readonly Habit[]): Habit {
  let requests = 0
  return (...request) => workers[requests++ % workers.length]!(...request)
}

/** Wrong answers, and the form of a disturbance that finds each. */
const wrong: readonly (readonly [string, Habit, Partial<Perturbation>])[] = [
  [
    'accepts an event without a signature',
    async (request, read, work) => (request.headers['x-service-signature'] ? usual(request, read, work) : 200),
    { kind: 'forgery', form: 'unsigned' },
  ],
  [
    'accepts an empty signature',
    async (request, read, work) =>
      request.headers['x-service-signature'] === 'sha256=' ? 200 : usual(request, read, work),
    { kind: 'forgery', form: 'empty' },
  ],
  [
    'accepts a part of the signature',
    async (request, read, work) =>
      request.headers['x-service-signature']?.length === 39 ? 200 : usual(request, read, work),
    { kind: 'forgery', form: 'truncated' },
  ],
  [
    'compares the whole Content-Type',
    async (request, read, work) =>
      request.headers['content-type'] === 'application/json' ? usual(request, read, work) : 415,
    { kind: 'spelling', form: 'headers' },
  ],
  [
    'knows names of headers in one spelling',
    async (request, read, work) =>
      request.rawHeaders.includes('X-Service-Signature') || !request.headers['x-service-signature']
        ? usual(request, read, work)
        : 400,
    { kind: 'spelling', form: 'headers' },
  ],
  ['waits for a slow sender', inTurn(60_000), { kind: 'connection', form: 'stalled' }],
  [
    'has two workers that wait for a slow sender',
    oneOf(inTurn(60_000), inTurn(60_000)),
    { kind: 'connection', form: 'stalled' },
  ],
  ['never gets over half a body', neverOver(), { kind: 'connection', form: 'closed' }],
  ['decodes the pieces of a body', inPieces, { kind: 'connection', form: 'pieces' }],
]

test.each(wrong)('a search finds a handler that %s', async (_, habit, disturbance) => {
  const { kind } = disturbance as Perturbation
  const options = { flows: ['conversation'], disturbances: [kind], settleMs: 20, timeoutMs: 300, seed: 's' }
  const { failure } = await explore({ ...(await serve(habit)), ...options })
  expect(failure?.schedule.perturbations).toMatchObject([disturbance])
  expect(failure!.scenario).toContain(`form: ${disturbance.form}`)
})

test('a handler that knows events by their header is found, because nothing but the body is signed', async () => {
  const seen = new Set<unknown>()
  const { handler, truth } = shop('knows no repetitions')
  const { failure } = await explore({
    ...{ truth, flows: ['open-conversation'], disturbances: ['forgery'], settleMs: 20, seed: 's' },
    async handler(webhook, environment) {
      const id = webhook.headers['x-service-event-id']
      const answer = seen.has(id) ? 200 : ((await (handler as HandlerFunction)(webhook, environment)) as number)
      if (answer !== 401) seen.add(id)
      return answer
    },
  })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'forgery', form: 'other-id' }] },
    remedies: expect.arrayContaining([expect.stringContaining('X-Service-Event-Id')]),
  })
})

test('an application that loses its work when it is asked to end is found, and killed it loses nothing', async () => {
  const { restart, ...right } = diary()
  const { failure } = await explore({
    ...{ ...right, restart, flows: ['open-conversation'], disturbances: ['restart'], settleMs: 20, seed: 's' },
    terminate: () => right.queue.splice(0),
  })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'restart', form: 'orderly' }] },
    remedies: [expect.stringContaining('SIGTERM')],
    story: expect.stringContaining('then the application gets SIGTERM'),
  })
})

/** Answers everything in the same way while it ends. */
function ending(status: number) {
  const { handler, ...right } = diary()
  let isEnding = false
  return {
    ...{ ...right, flows: ['tap'], events: ['conversation.started'], settleMs: 20, idleSeconds: 0 },
    disturbances: ['restart'] as const,
    handler: (webhook: Webhook) => (isEnding ? status : handler(webhook)),
    terminate() {
      isEnding = true
    },
    restart() {
      isEnding = false
    },
  }
}

test('an application that answers and drops what arrives while it ends is found; it may refuse that', async () => {
  const { failure } = await explore({ ...ending(200), seed: 's' })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'restart', form: 'ending' }] },
    remedies: [expect.stringContaining('After SIGTERM, refuse new events')],
    story: expect.stringContaining('while the application ends after SIGTERM; then it is started again'),
  })
  expect((await explore({ ...ending(503), schedule: failure!.schedule })).failure).toBeNull()
})

test('what an orderly end does not store is found by a repetition after it', async () => {
  const { seen, ...right } = diary()
  const { failure } = await explore({
    ...{ ...right, flows: ['conversation'], disturbances: ['restart', 'duplicate'], settleMs: 20, idleSeconds: 0 },
    terminate: () => seen.clear(),
    seed: 's',
  })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'restart', form: 'orderly' }, { kind: 'duplicate' }] },
    findings: [{ code: 'belief-differs', where: 'replies' }],
  })
})

test('what is stored of an unusual spelling is found by a restart after it', async () => {
  const { handler, ...right } = diary()
  // Its journal has one event in a line, and the events before the last one are stored elsewhere.
  let last = ''
  const { failure } = await explore({
    ...{ ...right, flows: ['conversation'], disturbances: ['spelling', 'restart'], settleMs: 20, idleSeconds: 0 },
    handler(webhook: Webhook) {
      last = webhook.body
      return handler(webhook)
    },
    restart: () => void (last.includes('\n') && right.queue.pop()),
    seed: 's',
  })
  expect(failure?.schedule.perturbations).toMatchObject([{ kind: 'spelling' }, { kind: 'restart' }])
})

test('a handler function has no connection', async () => {
  const perturbations: Perturbation[] = [{ kind: 'connection', form: 'closed', event: 0 }]
  await expect(explore({ ...shop(), schedule: { ...flow, perturbations } })).rejects.toThrow('a URL as "handler"')
  const { coverage } = await explore({ ...shop(), flows: ['order-notification'], disturbances: ['connection'] })
  expect(coverage.single_disturbances.of).toBe(0)
})

test.skipIf(process.platform === 'win32')(
  'a process that is asked to end has time for it, and is killed then',
  async () => {
    const watchdog = startWatchdog()
    onTestFinished(() => watchdog.end())
    const polite = startCommand(
      { command: "trap 'echo bye >&2; exit 3' TERM; echo ready >&2; while :; do sleep 0.02; done" },
      watchdog,
    )
    const deaf = startCommand({ command: "trap '' TERM; echo ready >&2; while :; do sleep 0.02; done" }, watchdog)
    for (const { stderr } of [polite, deaf]) await expect.poll(stderr).toContain('ready')
    const elapsed = stopwatch()
    await Promise.all([polite.terminate(), deaf.terminate()])
    expect(polite.stderr()).toContain('bye')
    expect([polite.ending(), deaf.ending()]).toEqual([undefined, undefined])
    expect(elapsed()).toBeGreaterThan(1_900)
  },
)

/** Two processes behind one address, which accept connections in turn. Each one knows the ids that it has received itself. */
async function servePair(): Promise<Pick<Application, 'handler' | 'truth'>> {
  const replies: Record<string, number> = {}
  const processes = [new Set<string>(), new Set<string>()]
  const idsOf = new WeakMap<object, Set<string>>()
  let connections = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ replies }))
    const { id, event, data } = JSON.parse(await bodyOf(request))
    const ids = idsOf.get(request.socket)!
    if (event === 'conversation.started' && !ids.has(id)) replies[data.from] = (replies[data.from] ?? 0) + 1
    ids.add(id)
    response.end()
  })
  server.on('connection', (socket) => idsOf.set(socket, processes[connections++ % 2]!))
  const url = await urlOf(server)
  return { handler: url, truth: url }
}

test('a repetition may reach another process of the application than the event', async () => {
  const schedule = {
    ...{ flow: 'opt-out', draw: 'p.opt-out.0', events: [5] },
    perturbations: [{ kind: 'duplicate' as const, event: 5 }],
  }
  const { failure } = await explore({ ...(await servePair()), schedule, settleMs: 20 })
  expect(failure?.findings[0]).toMatchObject({ where: 'replies', message: expect.stringContaining('says 2') })
})
