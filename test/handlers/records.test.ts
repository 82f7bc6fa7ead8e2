import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { shop } from './shop.ts'

interface Card {
  /** Different in each play, but the same however the events arrive. */
  number: number
  token: string
  since: string
  day: string
  sessionEndsMs: number
  lastTextAt: string
  lastText: string
  texts: { id: string; text: string }[]
}

/** A shop with a card for each person who has written, by phone number without the plus sign. */
function shopWithCards({ believesInOrder = false } = {}) {
  const { handler, truth, ...levers } = shop()
  const cards: Record<string, Card> = {}
  const seen = new Set<string>()
  const note = ({ body }: Webhook) => {
    const { id, event, timestamp, data } = JSON.parse(body)
    if (event !== 'conversation.started' || seen.has(id)) return
    seen.add(id)
    cards[data.from] ??= {
      ...{ number: Object.keys(cards).length, token: randomUUID(), since: '', day: '', sessionEndsMs: 0 },
      ...{ lastTextAt: '', lastText: '', texts: [] },
    }
    const card = cards[data.from]!
    card.texts.push({ id, text: data.user_message.text })
    if (card.since === '' || timestamp < card.since) card.since = timestamp
    card.day = `${new Date(card.since).getUTCDate()}.`
    if (timestamp < card.lastTextAt && !believesInOrder) return
    Object.assign(card, { lastTextAt: timestamp, lastText: `${data.from.slice(1)} wrote ${data.user_message.text}` })
    card.sessionEndsMs = Date.parse(data.session_expires_at)
  }
  return {
    ...levers,
    handler: async (webhook: Webhook) => {
      const answer = await handler(webhook, {} as never)
      if (answer !== 401) note(webhook)
      return answer
    },
    truth: () => ({ ...truth(), records: structuredClone(cards) }),
  }
}

/** It takes the last event that arrives for the state of an agent. */
function reviews() {
  const records: Record<string, string> = {}
  return {
    handler: ({ body }: Webhook) => {
      const { event, data } = JSON.parse(body)
      if (data.agent_id && event.startsWith('agent.')) records[data.agent_id] = event
      return 200
    },
    truth: () => ({ records: { ...records } }),
  }
}

const FLOWS = ['open-conversation', 'two-people', 'opt-out']

test('records that do not depend on disturbances are right, whatever is different in each play', async () => {
  const { failure, compared } = await explore({
    ...shopWithCards(),
    ...{ flows: FLOWS, schedules: 150, seed: 'r', settleMs: 20, idleSeconds: 0 },
  })
  expect(failure?.story).toBeUndefined()
  expect(compared).toContain('records')
})

test('a record that a late event has changed is found, reported and repeated by seed and as a saved schedule', async () => {
  const options = { settleMs: 20, idleSeconds: 0 }
  const wrong = () => shopWithCards({ believesInOrder: true })
  const found = await explore({ ...wrong(), ...options, flows: FLOWS, seed: 'r' })
  const { seed, schedule, story } = found.failure!
  expect(story).toContain(
    'belief-differs: records of phone 1 (lastText): the application says "phone 1 wrote Friday is fine"; after the same flow without disturbances, it says "phone 1 wrote At eight"',
  )
  expect(schedule.perturbations).toEqual([{ kind: 'delay', event: 5, after: 1 }])
  const [bySeed, saved, fixed] = await Promise.all([
    explore({ ...wrong(), ...options, flows: FLOWS, seed }),
    explore({ ...wrong(), ...options, schedule }),
    explore({ ...shopWithCards(), ...options, schedule }),
  ])
  expect(bySeed.failure?.story).toBe(story)
  expect(saved.failure?.findings).toMatchObject([{ code: 'belief-differs', where: 'records' }])
  expect(fixed.failure).toBeNull()
})

test('a flow that changes nothing but records is disturbed where the application has some', async () => {
  const { failure } = await explore({ ...reviews(), flows: ['agent-review'], seed: 'r', settleMs: 20, idleSeconds: 0 })
  expect(failure?.story).toMatch(
    /belief-differs: records of agent 1: the application says "agent\.\w+"; after the same flow/,
  )
})
