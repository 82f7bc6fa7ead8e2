import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Environment, Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { ExploreOptions } from '../../src/handlers/explore/options.ts'
import { callAnswers, type FailedAnswer } from '../../src/scenarios/deliveries.ts'
import { isStop } from '../../src/words/stop.ts'
import { realTime } from '../../src/world/real-time.ts'
import { urlOf } from '../url-of.ts'
import { sendText } from './send-text.ts'

type Bug =
  | 'tries once'
  | 'gives up after a 429'
  | 'knows no retry_after'
  | 'has a key for each attempt'
  | 'forgets what it tries again'
  | 'makes no calls after a dozen failures'
  | 'gives no call up'

const SOON_MS = 100
const MOST_TRIES = 4

/** An application that answers each reply once, from an outbox that tries again, in the session or outside of it. */
function clerk(bug?: Bug, type: 'MESSAGE' | 'CONVERSATION' = 'MESSAGE') {
  const outbox = new Map<string, { agent_id: string; from: string; isForgotten?: true; isOver?: true }>()
  const done = new Set<string>()
  let failures = 0
  let life = new AbortController()
  onTestFinished(() => life.abort())
  let environment: Environment | undefined
  /** Returns when to try again, ms; undefined if that is not needed. */
  const attempt = async (where: Environment, id: string, tries: number): Promise<number | undefined> => {
    if (bug === 'makes no calls after a dozen failures' && failures >= 12) return undefined
    const { agent_id, from, isOver } = outbox.get(id)!
    const message_type = isOver ? 'MESSAGE' : type
    const first = bug === 'has a key for each attempt' && message_type === 'MESSAGE' ? tries : message_type.length
    const key = `${String(first).padStart(8, '0')}${id.slice(12)}`
    const signal = bug === 'gives no call up' ? life.signal : AbortSignal.timeout(500)
    const answer = await sendText(where, key, { agent_id, to: from, message_type }, signal).catch(() => undefined)
    if (bug === 'tries once') return undefined
    if (answer?.status === 422 && message_type === 'CONVERSATION') {
      outbox.get(id)!.isOver = true
      return 0
    }
    if (!answer || answer.status >= 400) failures++
    if (bug === 'forgets what it tries again' && answer?.status === 503) outbox.get(id)!.isForgotten = true
    if (answer?.status === 429)
      return bug === 'gives up after a 429' ? undefined : bug === 'knows no retry_after' ? SOON_MS : 1_000
    return answer && answer.status < 500 ? undefined : SOON_MS
  }
  const work = async (id: string) => {
    const { signal } = life
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const waitMs = await attempt(environment!, id, tries)
      signal.throwIfAborted()
      if (waitMs === undefined) break
      await sleep(waitMs, undefined, { signal })
    }
    outbox.delete(id)
  }
  return {
    truth: () => ({ sends: { reply: 1 }, pending: outbox.size }),
    async handler({ body }: Webhook, where: Environment) {
      environment = where
      const { event, id, data } = JSON.parse(body)
      if (event !== 'conversation.started' || done.has(id)) return 200
      done.add(id)
      outbox.set(id, data)
      work(id).catch(() => {})
      return 200
    },
    restart() {
      life.abort()
      life = new AbortController()
      failures = 0
      for (const [id, { isForgotten }] of outbox)
        if (isForgotten) outbox.delete(id)
        else work(id).catch(() => {})
    },
  }
}

const soon = { settleMs: 40 }

const failing = (answer: FailedAnswer, more = {}) => ({
  ...{ flow: 'tap', draw: 'c.tap.0', events: [0, 1, 2, 3, 4, 5] },
  perturbations: [{ kind: 'failed-call' as const, event: 5, answer, ...more }],
})

// No retry helps without money.
for (const answer of callAnswers.filter((one) => one !== '402'))
  test(`an application that tries a call again is not blamed when the first one gets ${answer}`, async () => {
    const { failure, audited } = await explore({ ...clerk(), ...soon, schedule: failing(answer) })
    expect(failure?.story).toBeUndefined()
    expect(audited).toBe(true)
  })

test('an application that tries a call once is found when it is answered 503', async () => {
  const { failure } = await explore({ ...clerk('tries once'), ...soon, schedule: failing('503') })
  expect(failure).toMatchObject({
    findings: [{ code: 'sends-differ', message: expect.stringContaining('0 messages were sent, 1 message') }],
    remedies: [expect.stringContaining('retry after 429, 5xx'), expect.anything()],
    story: expect.stringContaining('the first send of the application, and its first other change, are answered 503'),
  })
})

/** An application that confirms a STOP, and then sets the contact to UNSUBSCRIBED; it tries each call `mostTries` times. */
function unsubscriber(mostTries: { confirm: number; record: number }) {
  let pending = 0
  const done = new Set<string>()
  const call = async (tries: number, { baseUrl, apiKey }: Environment, method: string, path: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' && { 'Idempotency-Key': crypto.randomUUID() }),
    }
    for (let n = 0; n < tries; n++) {
      const answer = await fetch(`${baseUrl}/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      if (answer.ok) return answer
    }
    return undefined
  }
  const work = async (where: Environment, { from, agent_id }: { from: string; agent_id: string }) => {
    const content = { text: 'You get no more messages.' }
    const types = { message_type: 'CONVERSATION', traffic_type: 'ACKNOWLEDGEMENT' }
    await call(mostTries.confirm, where, 'POST', '/messages', { agent_id, to: from, ...types, content })
    const sent = await call(5, where, 'GET', `/messages?to=${encodeURIComponent(from)}`)
    const [{ contact_id }] = ((await sent!.json()) as { messages: [{ contact_id: string }] }).messages
    await call(mostTries.record, where, 'PATCH', `/contacts/${contact_id}`, { status: 'UNSUBSCRIBED' })
    pending--
  }
  return {
    truth: () => ({ sends: { stop: 1 }, pending }),
    handler({ body }: Webhook, where: Environment) {
      const { event, id, data } = JSON.parse(body)
      const isNew = event === 'conversation.started' && !done.has(id)
      done.add(id)
      if (isNew && ++pending) void work(where, data)
      return 200
    },
  }
}

test('an application that tries a send again, but not what it records, is found', async () => {
  const schedule = {
    ...{ flow: 'opt-out', draw: 'c.opt-out.0', events: [0, 1, 2, 3, 4, 5], sends: true as const },
    perturbations: [{ kind: 'failed-call' as const, event: 5, answer: '503' as const }],
  }
  const codes = async (mostTries: Parameters<typeof unsubscriber>[0]) => {
    const { failure } = await explore({ ...unsubscriber(mostTries), ...soon, schedule })
    return failure?.findings.map(({ code }) => code)
  }
  expect(await codes({ confirm: 3, record: 3 })).toBeUndefined()
  expect(await codes({ confirm: 3, record: 1 })).toEqual(['stop-not-recorded'])
})

/** An application that answers each reply and confirms each STOP, and tries again until the service accepts. */
function secretary(checks: 'each attempt' | 'the first attempt', { backoffMs = SOON_MS, inProgressMs = 0 } = {}) {
  let pending = 0
  const [done, suppressed] = [new Set<string>(), new Set<string>()]
  const contacts = new Map<string, string>()
  const call = async ({ baseUrl, apiKey }: Environment, path: string, key: string, body: object, method = 'POST') => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' && { 'Idempotency-Key': key }),
    }
    const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(500) }
    return fetch(`${baseUrl}/v1${path}`, init).then(
      ({ status }) => status,
      () => 0,
    )
  }
  const untilAccepted = async (mayBeMade: () => boolean, attempt: () => Promise<number>) => {
    for (let tries = 0; tries === 0 || checks === 'the first attempt' || mayBeMade(); tries++) {
      await sleep(inProgressMs)
      const status = await attempt()
      if (status >= 200 && status < 500 && status !== 429) return
      await sleep(status === 429 ? 1_000 : backoffMs)
    }
  }
  const work = async (where: Environment, id: string, { from, agent_id }: { from: string; agent_id: string }) => {
    const isEnding = suppressed.has(from)
    const types = isEnding
      ? { message_type: 'CONVERSATION', traffic_type: 'ACKNOWLEDGEMENT' }
      : { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' }
    const body = { agent_id, to: from, ...types, content: { text: 'Thank you' } }
    await untilAccepted(
      () => isEnding || !suppressed.has(from),
      () => call(where, '/messages', id.slice(4), body),
    )
    const record = () => call(where, `/contacts/${contacts.get(from)}`, '', { status: 'UNSUBSCRIBED' }, 'PATCH')
    if (isEnding) await untilAccepted(() => true, record)
    pending--
  }
  return {
    truth: () => ({
      ...{ sends: { reply: 1, stop: 1 }, pending },
      suppressed: Object.fromEntries([...suppressed].map((phone) => [phone, true])),
    }),
    handler({ body }: Webhook, where: Environment) {
      const { event, id, data } = JSON.parse(body)
      if (event === 'contact.created') contacts.set(data.phone, data.contact_id)
      if (event !== 'conversation.started' || done.has(id)) return 200
      done.add(id)
      if (isStop(data.user_message.text)) suppressed.add(data.from)
      pending++
      void work(where, id, data)
      return 200
    },
  }
}

const overtaken = {
  ...{ flow: 'reply-then-stop', draw: 'c.reply-then-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
  perturbations: [{ kind: 'failed-call' as const, event: 5, answer: '503' as const, form: 'overtaken' as const }],
}

test('an answer that waits for its retry must not be sent after a STOP, and need not be', async () => {
  const found = async (checks: Parameters<typeof secretary>[0]) =>
    (await explore({ ...secretary(checks), ...soon, schedule: overtaken })).failure
  expect((await found('each attempt'))?.story).toBeUndefined()
  expect(await found('the first attempt')).toMatchObject({
    findings: [{ code: 'send-after-stop' }],
    remedies: [expect.stringContaining('Check before each attempt'), expect.anything()],
    story: expect.stringContaining('the next event arrives before the retry'),
  })
})

test('a retry that is in progress when a STOP arrives is no send after STOP', async () => {
  const application = secretary('each attempt', { backoffMs: 20, inProgressMs: 10 })
  const { failure } = await explore({ ...application, ...soon, schedule: overtaken })
  expect(failure?.story).toBeUndefined()
})

test('a search lets a STOP overtake an answer whose call has failed', async () => {
  const options = { flows: ['reply-then-stop'], disturbances: ['failed-call'], idleSeconds: 0, schedules: 60 } as const
  const { failure } = await explore({ ...secretary('the first attempt'), ...soon, ...options })
  expect(failure?.schedule.perturbations).toEqual(overtaken.perturbations)
})

for (const bug of ['gives up after a 429', 'knows no retry_after'] as const)
  test(`an application that ${bug} is found`, async () => {
    const { failure } = await explore({ ...clerk(bug), ...soon, schedule: failing('429') })
    expect(failure?.findings[0]?.code).toBe('sends-differ')
  })

test('a key for each attempt is found when the answer to the first one is lost', async () => {
  const { failure } = await explore({ ...clerk('has a key for each attempt'), ...soon, schedule: failing('none') })
  expect(failure?.findings.map(({ code }) => code)).toEqual(['key-changed-on-retry', 'sends-differ'])
})

const search = {
  ...{ flows: ['tap'], disturbances: ['failed-call'], events: ['conversation.*'], idleSeconds: 0, schedules: 12 },
  ...soon,
} as const satisfies Partial<ExploreOptions>

test('after calls that the service refuses, the answer to one that it accepts is lost', async () => {
  // The session has ended before its first event is delivered.
  const schedule = {
    ...failing('none'),
    flow: 'conversation',
    draw: 'c.conversation.0',
    events: [0, 1, 2, 3, 4, 5, 6, 7],
  }
  const found = async (bug?: Bug) =>
    (await explore({ ...clerk(bug, 'CONVERSATION'), ...soon, schedule })).failure?.findings.map(({ code }) => code)
  expect(await found()).toBeUndefined()
  expect(await found('has a key for each attempt')).toEqual(['sends-differ'])
})

test('a search lets calls fail, and only those of an application that says what is pending', async () => {
  const { failure, coverage } = await explore({ ...clerk('gives up after a 429'), ...search })
  // The second page of a proxy is a 429, too.
  expect(failure?.schedule.perturbations).toEqual([{ kind: 'failed-call', event: 5, answer: '502' }])
  expect(coverage.failed_calls.of).toBe(callAnswers.length - 3)
  const { truth, ...silent } = clerk()
  const unknown = await explore({ ...silent, truth: () => ({ sends: truth().sends }), ...search })
  expect(unknown.coverage.failed_calls).toEqual({ played: 0, of: 0 })
})

test('what the application sends while a flow is recorded is not a part of the flow', async () => {
  const { handler, truth } = clerk()
  const { failure } = await explore({
    ...{ ...search, handler, truth, disturbances: [], schedules: 4 },
    // Its first answer, to the first delivery, comes when the next flow is recorded.
    settleMs: 20,
  })
  expect(failure?.story).toBeUndefined()
})

test('an application that forgets on a restart what it tries again is found, and one that does not is not blamed', async () => {
  const options = { ...search, disturbances: ['failed-call', 'restart'], schedules: 40, seed: 'c' } as const
  const { failure } = await explore({ ...clerk('forgets what it tries again'), ...options })
  expect(failure?.schedule.perturbations).toEqual([
    { kind: 'failed-call', event: 5, answer: '503' },
    { kind: 'restart', event: 5 },
  ])
  expect(failure!.findings[0]!.code).toBe('sends-differ')
  expect((await explore({ ...clerk(), ...options })).failure?.story).toBeUndefined()
})

test('a crowd whose calls all fail finds an application that makes no calls after a dozen failures', async () => {
  const schedule = { ...failing('503'), crowd: true as const }
  const { failure } = await explore({ ...clerk('makes no calls after a dozen failures'), ...soon, schedule })
  expect(failure?.findings.map(({ code }) => code)).toContain('sends-differ')
  expect((await explore({ ...clerk(), ...soon, schedule })).failure?.story).toBeUndefined()
  const { restart: _, ...wrong } = clerk('makes no calls after a dozen failures')
  const found = await explore({ ...wrong, ...search, schedules: 60, seed: 'c' })
  expect(found.failure?.schedule).toMatchObject({ crowd: true, perturbations: [{ answer: '503' }] })
})

test('an application that gives no call up is found when one is never answered', async () => {
  const schedule = failing('never', { seconds: 1 })
  const { failure } = await explore({ ...clerk('gives no call up'), ...soon, schedule })
  expect(failure).toMatchObject({
    findings: [{ code: 'still-changing', message: expect.stringMatching(/ pending \d+ s after/) }, {}],
    remedies: expect.arrayContaining([expect.stringContaining('Set a time limit for each call')]),
    story: expect.stringContaining('the first call of the application has no effect, and is never answered'),
  })
})

test('a Retry-After of several seconds is found where the application waits for one', async () => {
  const { failure } = await explore({ ...clerk(), ...soon, schedule: failing('429', { seconds: 6 }) })
  expect(failure?.remedies).toContainEqual(expect.stringContaining('Wait as long as Retry-After requires'))
  expect(failure?.story).toContain('with a Retry-After of 6 s')
})

test('a read that a proxy answers with a page is found where the application does not try again', async () => {
  const pages: string[] = []
  const reader = (isRight: boolean) => {
    let pending = 0
    const replies: Record<string, number> = {}
    const work = async (environment: Environment, from: string): Promise<void> => {
      const { baseUrl, apiKey } = environment
      const headers = { Authorization: `Bearer ${apiKey}` }
      const answer = await fetch(`${baseUrl}/v1/messages?to=${encodeURIComponent(from)}`, { headers })
      const isPage = answer.headers.get('Content-Type')!.includes('html')
      const retryAfter = answer.headers.get('Retry-After')
      if (isPage) pages.push(`${answer.status} ${retryAfter} ${await answer.text()}`)
      if (retryAfter !== null) await sleep(Date.parse(retryAfter) - Date.now())
      if (isPage && isRight) return work(environment, from)
      if (!isPage) replies[from] = (replies[from] ?? 0) + 1
      pending--
    }
    const done = new Set<string>()
    return {
      truth: () => ({ replies, pending }),
      handler({ body }: Webhook, where: Environment) {
        const { event, id, data } = JSON.parse(body)
        const isNew = event === 'conversation.started' && !done.has(id)
        done.add(id)
        if (isNew && ++pending) void work(where, data.from)
        return 200
      },
    }
  }
  expect((await explore({ ...reader(true), ...search, schedules: 40 })).failure?.story).toBeUndefined()
  expect(pages).toEqual([
    expect.stringContaining('502 null <html>'),
    expect.stringMatching(/^429 \w+, \d+ \w+ \d{4} [\d:]+ GMT <html>/),
  ])
  const { failure } = await explore({ ...reader(false), ...search, schedules: 40 })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'failed-call', answer: '502' }] },
    findings: [{ code: 'belief-differs' }],
    remedies: [expect.stringContaining('a proxy answers with HTML')],
  })
})

test('an application that leaves it to the service to repeat an event is not blamed for a long Retry-After', async () => {
  const done = new Set<string>()
  const statuses: number[] = []
  const { failure } = await explore({
    ...{ ...soon, schedule: failing('429', { seconds: 61 }) },
    truth: () => ({ sends: { reply: 1 }, pending: 0 }),
    async handler({ body }, environment) {
      const { event, id, data } = JSON.parse(body)
      if (event !== 'conversation.started' || done.has(id)) return 200
      const thanks = { agent_id: data.agent_id, to: data.from }
      const { ok, status } = await sendText(environment, id.slice(4), thanks)
      statuses.push(status)
      if (ok) done.add(id)
      return ok ? 200 : 503
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(statuses.slice(0, 2)).toEqual([429, 200])
})

test('a call that is never answered ends where the application has no time left for its own answer', async () => {
  const done = new Set<string>()
  const states: string[] = []
  let where: Environment
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ sends: { reply: 1 }, pending: 0 }))
    const { event, id, data } = JSON.parse(await text(request))
    if (event === 'conversation.started' && !done.has(id)) {
      const thanks = { agent_id: data.agent_id, to: data.from }
      const sent = await sendText(where, id.slice(4), thanks).catch(() => undefined)
      states.push(sent ? String(sent.status) : 'no answer')
      if (!sent?.ok) return response.writeHead(503).end()
      done.add(id)
    }
    response.end()
  })
  const url = await urlOf(server)
  const { failure } = await explore({
    ...{ handler: url, truth: url, ...soon, timeoutMs: 1_000, schedule: failing('never') },
    async start(environment) {
      where = environment
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(states.slice(-2)).toEqual(['no answer', '200'])
})

test('work that is left when the search ends is reported, and not judged', async () => {
  const { truth, ...application } = clerk('gives no call up')
  const end = new AbortController()
  const { ms } = realTime
  let looks = 0
  // What was still pending at the first looks is so 11 s later.
  vi.spyOn(realTime, 'ms').mockImplementation(() => ms() + (looks > 3 ? 11_000 : 0))
  const { failure, interrupted, unsettled } = await explore({
    ...{ ...application, ...soon, schedule: failing('never'), signal: end.signal },
    truth() {
      if (truth().pending > 0 && ++looks > 4) end.abort()
      return truth()
    },
  })
  expect({ failure, interrupted }).toEqual({ failure: null, interrupted: true })
  expect(unsettled).toMatch(/^events were still pending 1\d s after the last delivery$/)
})

/** An application that answers a reply to one of its messages, which it looks up first. */
function reader(afterBroken: 'again' | 'as if empty') {
  const done = new Set<string>()
  let pending = 0
  const lookUp = async (url: string, headers: Record<string, string>): Promise<unknown[]> => {
    try {
      return ((await (await fetch(url, { headers })).json()) as { messages: unknown[] }).messages
    } catch {
      return afterBroken === 'again' ? lookUp(url, headers) : []
    }
  }
  const work = async (id: string, { from, agent_id }: Record<string, string>, { baseUrl, apiKey }: Environment) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': id }
    const messages = await lookUp(`${baseUrl}/v1/messages?to=${encodeURIComponent(from!)}`, headers)
    const types = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' }
    const body = JSON.stringify({ agent_id, to: from, ...types, content: { text: 'Thank you' } })
    const send = async (): Promise<unknown> =>
      fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body })
        .then((answer) => answer.json())
        .catch(send)
    if (messages.length > 0) await send()
    pending--
  }
  return {
    truth: () => ({ sends: { reply: 1 }, pending }),
    handler({ body }: Webhook, where: Environment) {
      const { event, id, data } = JSON.parse(body)
      if (event !== 'conversation.started' || done.has(id)) return 200
      done.add(id)
      pending++
      void work(id.slice(4), data, where)
      return 200
    },
  }
}

test('an application that takes an answer that breaks off for an empty one is found', async () => {
  const { failure } = await explore({ ...reader('as if empty'), ...soon, schedule: failing('part') })
  expect(failure).toMatchObject({ findings: [{ code: 'sends-differ' }] })
  const right = await explore({ ...reader('again'), ...soon, schedule: failing('part') })
  expect(right.failure?.story).toBeUndefined()
})
