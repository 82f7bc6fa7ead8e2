import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Environment, Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { sendText } from './send-text.ts'

type Habit = 'keeps its connection during a call' | 'gives it back before' | 'answers after its call'

const CONNECTIONS = 10

/** An application that answers each reply. A webhook and a call each need one of its connections to a database. */
function desk(habit: Habit) {
  let free = CONNECTIONS
  let pending = 0
  const waiting: (() => void)[] = []
  const done = new Set<string>()
  const life = new AbortController()
  onTestFinished(() => life.abort())
  const take = async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const giveBack = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const call = async (id: string, { agent_id, from }: { agent_id: string; from: string }, where: Environment) => {
    await take()
    if (habit !== 'keeps its connection during a call') giveBack()
    const send = () =>
      sendText(where, id.slice('evt_'.length), { agent_id, to: from }, life.signal).catch(() => undefined)
    for (let answer = await send(); !answer || answer.status === 429 || answer.status >= 500; answer = await send())
      await setTimeout(answer?.status === 429 ? 1_000 : 50, undefined, { signal: life.signal })
    if (habit === 'keeps its connection during a call') giveBack()
    pending--
  }
  return {
    truth: () => ({ sends: { reply: 1 }, pending }),
    async handler({ body }: Webhook, environment: Environment) {
      const { id, event, data } = JSON.parse(body)
      await take()
      const isNew = event === 'conversation.started' && !done.has(id)
      done.add(id)
      giveBack()
      if (!isNew) return 200
      pending++
      const called = call(id, data, environment)
      called.catch(() => {})
      if (habit === 'answers after its call') await called
      return 200
    },
  }
}

const options = {
  schedule: {
    ...{ flow: 'tap', draw: 'l.tap.0', events: [0, 1, 2, 3, 4, 5], crowd: true as const },
    perturbations: [{ kind: 'failed-call', event: 5, answer: 'late' }],
  },
  ...{ settleMs: 40, timeoutMs: 1_000 },
} as const

test('an application that keeps a connection during each call is found', async () => {
  const { failure } = await explore({ ...desk('keeps its connection during a call'), ...options })
  expect(failure).toMatchObject({
    findings: [{ code: 'handler-blocked', where: 'calls' }],
    remedies: [expect.stringContaining('Before a call, give back every connection')],
    story: expect.stringContaining('calls of the application are answered only when it has arrived for all people'),
  })
})

test.each(['gives it back before', 'answers after its call'] as const)(
  'an application that %s is not blamed',
  async (habit) => {
    const { failure, audited } = await explore({ ...desk(habit), ...options })
    expect(failure?.story).toBeUndefined()
    expect(audited).toBe(true)
  },
)

test('a search lets the answers to the calls of a crowd come late', async () => {
  const { failure } = await explore({
    ...desk('keeps its connection during a call'),
    ...{ flows: ['tap'], disturbances: ['failed-call', 'together'], events: ['conversation.*'] },
    ...{ settleMs: 40, timeoutMs: 1_000, idleSeconds: 0, schedules: 60, seed: 'l' },
  })
  expect(failure?.schedule).toMatchObject({ crowd: true, perturbations: [{ kind: 'failed-call', answer: 'late' }] })
})
