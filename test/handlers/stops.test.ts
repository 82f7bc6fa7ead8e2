import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { explore } from '../../src/handlers/explore/explore.ts'
import { type Finding, stillChanging } from '../../src/handlers/explore/finding.ts'
import { mostLikelyFirst, type Suspect, stuckAmong } from '../../src/handlers/explore/retries.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { sign } from '../../src/http/signature.ts'
import { stepOf } from '../../src/http/sleep.ts'
import { stopwatch } from '../../src/http/stopwatch.ts'
import type { PerturbationKind } from '../../src/scenarios/deliveries.ts'
import { isStop } from '../../src/words/stop.ts'
import { realTime } from '../../src/world/real-time.ts'
import { urlOf } from '../url-of.ts'
import { shop } from './shop.ts'

interface Event {
  id: string
  event: string
  data: { from: string; user_message: { text: string } }
}

const WORK_MS = 4

/** An application that stores everything, and works for a moment; a kill ends what is in progress. */
function kiosk(bug?: 'marks the event before its work' | 'leaves a lock behind') {
  const seen = new Set<string>()
  const replies: Record<string, number> = {}
  let [life, starts, isLocked] = [0, 0, false]
  const stop = () => void life++
  return {
    starts: () => starts,
    truth: () => ({ replies }),
    kill: stop,
    restart() {
      stop()
      starts++
      if (isLocked) throw new Error('The lock of another process is still there.')
    },
    reset() {
      isLocked = false
    },
    async handler({ headers, body }: { headers: Record<string, string>; body: string }) {
      if (headers['x-service-signature'] !== sign('whsec_explore', body)) return 401
      const { id, event, data }: Event = JSON.parse(body)
      const startedIn = life
      if (event !== 'conversation.started' || seen.has(id)) return 200
      if (bug === 'marks the event before its work') seen.add(id)
      isLocked = bug === 'leaves a lock behind'
      await new Promise((resolve) => setTimeout(resolve, WORK_MS))
      if (startedIn !== life) throw new Error('killed')
      isLocked = false
      if (bug !== 'marks the event before its work' && seen.has(id)) return 200
      seen.add(id)
      replies[data.from] = (replies[data.from] ?? 0) + 1
      return 200
    },
  }
}

/** A kill during the work on the first reply. */
const SEED = 'k.conversation.18'
const options = { flows: ['conversation'], seed: 'k', events: ['conversation.*'], idleSeconds: 0, settleMs: 20 }

test('only a kill finds a handler that marks an event before its work', async () => {
  const { kill, ...unkillable } = kiosk('marks the event before its work')
  expect((await explore({ ...unkillable, ...options, schedules: 40 })).failure).toBeNull()
  const { failure } = await explore({ ...unkillable, kill, ...options, seed: SEED })
  expect(failure).toMatchObject({
    findings: [{ code: 'belief-differs', where: 'replies' }],
    schedule: { perturbations: [{ kind: 'kill' }] },
    remedies: [expect.stringContaining('in the same transaction as its work, never before')],
  })
  const { schedule } = failure!
  expect((await explore({ ...kiosk(), ...options, schedule })).failure).toBeNull()
})

test('only a kill finds a handler that cannot start again while its lock is there', async () => {
  const { failure } = await explore({ ...kiosk('leaves a lock behind'), ...options, seed: SEED })
  expect(failure).toMatchObject({
    findings: [{ code: 'handler-not-restarted', message: expect.stringContaining('The lock of another process') }],
    schedule: { perturbations: [{ kind: 'kill' }] },
    remedies: [expect.stringMatching(/^Write state in one step/)],
  })
})

test('Ctrl-C during a restart of the application is not a failure', async () => {
  const stop = new AbortController()
  const { restart: _, ...right } = kiosk()
  const { failure, interrupted } = await explore({
    ...{ ...right, ...options, seed: SEED, signal: stop.signal },
    restart() {
      stop.abort()
      throw new Error('The wait was cancelled.')
    },
  })
  expect({ failure, interrupted }).toEqual({ failure: null, interrupted: true })
})

/** Works on one event after another, one for each look at it; after a restart it repeats what was not done. */
function diary(bug?: 'marks the event after its work') {
  const texts: Record<string, string[]> = {}
  const queue: Event[] = []
  const work = () => {
    const [next] = queue
    if (next?.event !== 'conversation.started') return
    texts[next.data.from] = [...(texts[next.data.from] ?? []), next.data.user_message.text]
  }
  return {
    truth() {
      if (!bug) work()
      if (queue.shift() && bug) work()
      return { texts, pending: queue.length }
    },
    restart: () => void (bug && work()),
    handler({ headers, body }: { headers: Record<string, string>; body: string }) {
      if (headers['x-service-signature'] !== sign('whsec_explore', body)) return 401
      queue.push(JSON.parse(body))
      if (bug && queue.length === 1) work()
      return 202
    },
  }
}

test('a restart meets the work on the last event, and not only that on earlier ones', async () => {
  const options = { flows: ['open-conversation'], seed: 'k', disturbances: ['restart'], settleMs: 20 } as const
  const { failure } = await explore({ ...diary('marks the event after its work'), ...options })
  expect(failure).toMatchObject({
    findings: [{ code: 'belief-differs', where: 'texts' }],
    schedule: { perturbations: [{ kind: 'restart' }] },
    remedies: [expect.stringContaining('in the same transaction as its work')],
  })
  const { schedule } = failure!
  expect((await explore({ ...diary(), ...options, schedule })).failure).toBeNull()
})

/** Keeps the consent of people, and the time of its last change. */
function register(bug?: 'keeps the times in memory') {
  const consent: Record<string, Record<string, string>> = {}
  let times: Record<string, string> = {}
  return {
    truth: () => ({ consent }),
    restart() {
      if (bug) times = {}
    },
    handler({ headers, body }: { headers: Record<string, string>; body: string }) {
      if (headers['x-service-signature'] !== sign('whsec_explore', body)) return 401
      const { event, timestamp, data } = JSON.parse(body)
      if (event.endsWith('folded') || timestamp < (times[data.contact_id] ?? '')) return 200
      times[data.contact_id] = timestamp
      consent[data.contact_id] = { [`${data.channel_type}/${data.message_type}`]: data.status }
      return 200
    },
  }
}

test('an older event that arrives after a restart finds an application that forgets what is newer', async () => {
  const options = { flows: ['consent-renewed'], events: ['consent.*'], seed: 'k', settleMs: 20 }
  const { failure } = await explore({ ...register('keeps the times in memory'), ...options, idleSeconds: 0 })
  const order = failure!.deliveries.map(({ name, how }) => `${name} ${how}`)
  expect(failure!.schedule.perturbations.map(({ kind }) => kind)).toEqual(['restart', 'delay'])
  expect(order.slice(-2)).toEqual(['consent.updated plain', 'consent.updated late'])
  expect(failure!.story).toMatch(/updated .*then the application is restarted\n.*updated .*late/)
  const { schedule } = failure!
  expect((await explore({ ...register(), ...options, schedule })).failure).toBeNull()
})

/** An application that notes no reply after an event with an unknown name. */
function blocked() {
  const replies: Record<string, number> = {}
  const counts = { 'conversation.started': 0 }
  let isStuck = false
  return {
    truth: () => ({ replies, counts }),
    handler({ body }: { body: string }) {
      const { event, data }: Event = JSON.parse(body)
      isStuck ||= event === 'conversation.folded'
      if (isStuck || event !== 'conversation.started') return 200
      counts[event]++
      replies[data.from] = (replies[data.from] ?? 0) + 1
      return 200
    },
  }
}

test('an application that never recovers from an event is reported with that event, and by the seed in the same words', async () => {
  const flow = { flows: ['conversation'], events: ['conversation.*'], settleMs: 20, disturbances: ['unknown'] as const }
  const { failure } = await explore({ ...blocked(), ...flow, seed: 'k' })
  expect(failure!.schedule.perturbations).toMatchObject([{ kind: 'unknown' }])
  expect(failure!.remedies.at(-1)).toContain('Every later schedule fails too')
  const again = await explore({ ...blocked(), ...flow, seed: failure!.seed })
  expect(again.failure!.story).toBe(failure!.story)
})

test('an event that blocks the work is named, and not one of a flow that had to wait before its STOP', () => {
  const wrong = { code: 'belief-differs', where: 'messages', message: '', remedy: '' }
  const schedule = { events: [], perturbations: [] }
  const suspect = (...findings: Finding[]) => ({ result: { schedule, deliveries: [], findings } }) as unknown as Suspect
  const [waited, blocked] = [suspect(wrong), suspect(wrong, stillChanging(10_000, true))]
  expect(stuckAmong([waited, blocked])).toEqual([blocked])
  // Any of them may have blocked it.
  expect(stuckAmong([blocked, blocked])).toHaveLength(2)
  const strange = (kind: PerturbationKind): Suspect => {
    const schedule = { events: [], perturbations: [{ kind, event: 0 }] }
    return { ...waited, result: { ...waited.result, schedule } }
  }
  const [value, unknown] = [strange('new-value'), strange('unknown')]
  expect(stuckAmong([value, unknown])).toEqual([unknown])
  expect(stuckAmong([unknown, waited])).toEqual([waited])
})

test('of many races that are blamed for a counter, those that disturb its event are tried first', () => {
  const finding = { code: 'belief-differs', where: 'counts', message: 'too many', subject: 'message.read' } as Finding
  const suspect = (event: number): Suspect => {
    const deliveries = ['message.delivered', 'message.read'].map((name, i) => ({ event: i, name }))
    const schedule = { events: [0, 1], perturbations: [{ kind: 'timeout', event }] }
    return { result: { schedule, deliveries, findings: [finding] } } as unknown as Suspect
  }
  const [other, own] = [suspect(0), suspect(1)]
  expect(mostLikelyFirst([other, other, own, other, own])).toEqual([own, own, other, other, other])
})

test('what any undisturbed flow may have used up for good is repeated by the seed of the search', async () => {
  const lasting = () => {
    const replies: Record<string, number> = {}
    let left = 3
    return {
      truth: () => ({ replies }),
      handler({ body }: { body: string }) {
        const { event, data }: Event = JSON.parse(body)
        if (event === 'conversation.started' && left-- > 0) replies[data.from] = (replies[data.from] ?? 0) + 1
        return 200
      },
    }
  }
  const options = { flows: ['open-conversation', 'conversation', 'tap'], events: ['conversation.*'], settleMs: 20 }
  const { failure } = await explore({ ...lasting(), ...options, seed: 'k' })
  expect(failure).toMatchObject({ seed: 'k', schedule: { perturbations: [] } })
  expect(failure!.remedies.at(-1)).toContain('used up for good')
  const again = await explore({ ...lasting(), ...options, seed: failure!.seed })
  expect(again.failure!.story).toBe(failure!.story)
})

test('what a restart has lost of earlier people is found with their own flow', async () => {
  const texts: Record<string, string[]> = {}
  const seen = new Set<string>()
  const { failure } = await explore({
    ...{ events: ['conversation.started'], disturbances: ['restart'], schedules: 115, settleMs: 20, seed: 'k' },
    truth: () => ({ texts }),
    handler({ body }: { body: string }) {
      const { id, data }: Event = JSON.parse(body)
      if (!seen.has(id)) texts[data.from] = [...(texts[data.from] ?? []), data.user_message.text]
      seen.add(id)
      return 200
    },
    // As if its journal was not written as UTF-8.
    restart() {
      for (const list of Object.values(texts)) for (const [i, text] of list.entries()) list[i] = text.replace('ü', '?')
    },
  })
  expect(failure).toMatchObject({
    flow: 'conversation',
    findings: [{ code: 'belief-differs', where: 'texts', message: expect.stringContaining('Gr?ße') }],
    schedule: { perturbations: [{ kind: 'restart' }] },
  })
})

/** Keeps suppressed addresses; a bounce suppresses everybody who has answered. */
function careless(isFixed = false) {
  const replies: Record<string, number> = {}
  const suppressed: Record<string, boolean> = {}
  return {
    truth: () => ({ suppressed }),
    handler({ body }: { body: string }) {
      const { event, data } = JSON.parse(body)
      if (event === 'conversation.started') replies[data.from] = 1
      if (isStop(data.user_message?.text ?? '')) suppressed[data.from] = true
      if (/unsubscribed|complained/.test(event)) suppressed[data.to] = true
      if (data.bounce_type !== 'hard') return
      suppressed[data.to] = true
      if (!isFixed) for (const phone of Object.keys(replies)) suppressed[phone] = true
    },
  }
}

test('a schedule that changes records of people before it is repeated by its seed and by its files', async () => {
  const flows = ['open-conversation', 'bounce']
  const options = { disturbances: [], schedules: 2, settleMs: 20 }
  const { failure } = await explore({ ...careless(), ...options, flows, seed: 'k.bounce.0' })
  expect(failure).toMatchObject({
    findings: [{ message: expect.stringContaining('which no event concerns') }],
    schedule: { flow: 'bounce', earlier: true },
  })
  // Without a choice of flows, all others are played before.
  const file = flowOf(failure!.scenario, 'saved.yaml')
  for (const saved of [{ flows, schedule: failure!.schedule }, { flows: [flows[0]!, file] }]) {
    expect((await explore({ ...careless(), ...options, ...saved })).failure?.findings).toMatchObject([
      { message: expect.stringContaining('which no event concerns') },
    ])
    expect((await explore({ ...careless(true), ...options, ...saved })).failure?.story).toBeUndefined()
  }
})

test('an application that has just been started gets the whole time of a settlement before an ending', async () => {
  const right = kiosk()
  let sinceStart = stopwatch()
  let waitedMs = 0
  const { failure } = await explore({
    ...{ ...right, settleMs: 150 },
    schedule: {
      ...{ flow: 'conversation', draw: 'k.conversation.0', events: [0, 1, 2, 3, 4, 5, 6, 7] },
      perturbations: [{ kind: 'restart', event: 6 }],
    },
    restart() {
      sinceStart = stopwatch()
      right.restart()
    },
    handler(webhook) {
      if (webhook.body.includes('"conversation.ended"')) waitedMs = sinceStart()
      return right.handler(webhook)
    },
  })
  expect(failure?.story).toBeUndefined()
  // A timer may be a little early.
  expect(waitedMs).toBeGreaterThan(140)
})

test('schedules that stop the application share its starts', async () => {
  const stops = { flows: ['conversation', 'open-conversation'], disturbances: ['restart', 'kill'] } as const
  const right = kiosk()
  const { failure, coverage } = await explore({ ...right, ...options, ...stops, schedules: 60 })
  expect(failure?.story).toBeUndefined()
  expect(coverage.single_disturbances.played).toBe(coverage.single_disturbances.of)
  // One restart and three kills for each of ten events, then pairs of these, and two kills of crowds.
  expect(right.starts()).toBeLessThan(32)
})

/** An application that keeps its queue and takes each event out of it before the work, which is long for replies. */
function counter() {
  const texts: Record<string, string[]> = {}
  let [queue, isBusy, life]: [Event[], boolean, number] = [[], false, 0]
  const work = async (startedIn: number) => {
    isBusy = true
    for (let next = queue.shift(); next; next = queue.shift()) {
      const isReply = next.event === 'conversation.started'
      await new Promise((resolve) => setTimeout(resolve, (isReply ? 20 : 5) * WORK_MS))
      if (startedIn !== life) return
      if (isReply) texts[next.data.from] = ['Yes']
    }
    isBusy = false
  }
  return {
    truth: () => ({ texts, pending: queue.length + Number(isBusy) }),
    handler({ body }: { body: string }) {
      queue = [...queue, JSON.parse(body)]
      if (!isBusy) void work(life)
    },
    restart() {
      life++
      void work(life)
    },
  }
}

test('an application that works after its answers is stopped during the work on the last event, too', async () => {
  const schedule = {
    ...{ flow: 'tap', draw: 'k.tap.0', events: [4, 5] },
    perturbations: [{ kind: 'restart' as const, event: 5 }],
  }
  const { failure } = await explore({ ...counter(), schedule, settleMs: 100 })
  expect(failure).toMatchObject({ findings: [{ code: 'belief-differs', where: 'texts' }] })
})

test.each([
  { status: 500, broken: '{}', says: 'it answered 500' },
  { status: 200, broken: '{"counts":{"message.read":NaN}}', says: 'its answer is not valid any more: ' },
  { status: 200, broken: '{"counts":{"message.read":1.5}}', says: 'its answer is not valid any more: ' },
])('a truth probe that fails after an event is the finding, with that event: $status $broken', async (now) => {
  let isBroken = false
  const names = new Set<string>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const counts = Object.fromEntries([...names].map((name) => [name, 0]))
      const body = isBroken ? now.broken : JSON.stringify({ counts, suppressed: {} })
      return void response.writeHead(isBroken ? now.status : 200).end(body)
    }
    const { event }: Event = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    if (event.endsWith('.folded')) names.add(event)
    isBroken ||= event === 'conversation.folded'
    response.end()
  })
  const url = await urlOf(server)
  const flows = ['order-notification', 'tap']
  const { failure } = await explore({ handler: url, truth: url, flows, disturbances: ['unknown'], settleMs: 20 })
  expect(failure).toMatchObject({
    findings: [{ code: 'probe-failed', message: expect.stringContaining(`the truth probe has failed: ${now.says}`) }],
    schedule: { flow: 'tap', perturbations: [{ kind: 'unknown', event: 5 }] },
  })
})

test('an application that hangs is the finding, with the event after which it answers nothing', async () => {
  let isHung = false
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    isHung ||= body.includes('conversation.folded')
    if (!isHung) response.end(request.method === 'GET' ? '{"suppressed":{}}' : '')
  })
  const url = await urlOf(server)
  const { setTimeout } = realTime
  const limits = [10_000, 3_000].map(stepOf)
  vi.spyOn(realTime, 'setTimeout').mockImplementation((callback, ms) =>
    setTimeout(callback, limits.includes(ms) ? ms / 40 : ms),
  )
  const { failure } = await explore({
    ...{ handler: url, truth: url, flows: ['order-notification', 'tap'], disturbances: ['unknown'] },
    ...{ settleMs: 20, timeoutMs: 300, kill() {} },
    restart() {
      isHung = false
    },
  })
  const remedy = expect.stringContaining('The application hangs: look for a lock')
  expect(failure).toMatchObject({
    findings: [{ code: 'probe-failed', message: expect.stringContaining('no answer within 3000 ms'), remedy }],
    schedule: { flow: 'tap', perturbations: [{ kind: 'unknown', event: 5 }] },
  })
})

test('a truth probe whose connection breaks once is no end of the application', async () => {
  let broken = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET' && broken++ === 3) return void request.socket.destroy()
    request.resume().on('end', () => response.setHeader('Connection', 'close').end('{"sessions":{}}'))
  })
  const url = await urlOf(server)
  const { failure } = await explore({ handler: url, truth: url, flows: ['expiry'], schedules: 1, settleMs: 20 })
  expect(failure?.story).toBeUndefined()
  expect(broken).toBeGreaterThan(4)
})

test('an application that starts again after a rotation has the secret of now', async () => {
  const right = shop()
  const restart = () => {
    right.restart()
    right.rotate('whsec_explore')
  }
  const perturbations = [{ kind: 'rotation', event: 0 } as const, { kind: 'restart', event: 2 } as const]
  const schedule = { flow: 'opt-out', draw: 'd', events: [0, 1, 2, 3, 4, 5], perturbations }
  expect((await explore({ ...right, reset: undefined, restart, settleMs: 20, schedule })).failure).toBeNull()
})

test('an application in which the first secret is valid once more after a restart is found', async () => {
  const inner = shop('takes any signature')
  let [secrets, hasRestarted] = [['whsec_explore'], false]
  const explored = await explore({
    ...{
      ...inner,
      reset: undefined,
      flows: ['opt-out'],
      disturbances: ['rotation', 'restart'],
      settleMs: 20,
      seed: 'r',
    },
    idleSeconds: 0,
    handler(webhook, environment) {
      const isSigned = secrets.some((one) => webhook.headers['x-service-signature'] === sign(one, webhook.body))
      return isSigned ? inner.handler(webhook, environment) : 401
    },
    restart() {
      ;[secrets, hasRestarted] = [['whsec_explore'], true]
    },
    rotate(to) {
      secrets = hasRestarted ? [to, 'whsec_explore'] : [to]
      hasRestarted = false
    },
  })
  expect(explored.failure).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ code: 'forgery-accepted', where: 'old secret' })]),
    schedule: { perturbations: [{ kind: 'restart' }, { kind: 'rotation' }] },
  })
  expect(explored.schedules).toBeLessThan(20)
})

test('a disturbance of an event that the flow does not have is refused', async () => {
  const perturbations = [{ kind: 'duplicate', event: 9 } as const]
  const schedule = { flow: 'opt-out', draw: 'd', events: [0, 1], perturbations }
  await expect(explore({ ...shop(), settleMs: 20, schedule })).rejects.toThrow('disturbs event 9')
})
