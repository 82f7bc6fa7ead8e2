import { expect, test } from 'vitest'
import { explore } from '../../src/handlers/explore/explore.ts'
import { instants, nextOf } from '../../src/handlers/explore/instants.ts'
import type { ExploreOptions } from '../../src/handlers/explore/options.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'

test.each([
  ['new year', '2027-01-01T00:00:00.000Z'],
  ['new year in Berlin', '2026-12-31T23:00:00.000Z'],
  ['spring', '2027-03-28T01:00:00.000Z'],
  ['autumn', '2027-10-31T01:00:00.000Z'],
] as const)('the next %s after a day in November is %s', (instant, at) => {
  const next = nextOf(instant, Date.parse('2026-11-28T17:00:00Z'))
  expect(new Date(next).toISOString()).toBe(at)
  expect(nextOf(instant, next)).toBeGreaterThan(next)
})

/** What local time an application takes a timestamp for. */
const LOCAL = {
  'the time of day': (timestamp: string) => timestamp.slice(11),
  'the time in Berlin': (timestamp: string) => new Date(timestamp).toLocaleString('sv', { timeZone: 'Europe/Berlin' }),
} as const

/** An application that orders the events of a person by a local time. */
function ordering(localOf: (timestamp: string) => string) {
  const seen: string[] = []
  const newest = new Map<string, string>()
  const sessions: Record<string, string> = {}
  return {
    seen,
    truth: () => ({ sessions }),
    handler({ body }: { body: string }) {
      const { event, timestamp, data } = JSON.parse(body)
      seen.push(timestamp)
      const local = localOf(timestamp)
      if (event !== 'conversation.started' || local < (newest.get(data.from) ?? '')) return 200
      newest.set(data.from, local)
      sessions[data.from] = data.session_expires_at
      return 200
    },
  }
}

test.each([
  ['the time of day', /^12-31T23:59,01-01T00:00$/],
  ['the time in Berlin', /^10-(..)T00:59,10-\1T01:00$/],
] as const)(
  'an application that orders events by %s is found when that jumps, also by the saved file',
  async (by, minutes) => {
    const options = { settleMs: 20, idleSeconds: 0, disturbances: [] } as const
    const { seen, ...application } = ordering(LOCAL[by])
    const { failure } = await explore({
      ...{ ...application, ...options },
      flows: ['open-conversation', 'turn-of-time'],
      schedules: 1 + instants.length,
    })
    expect(failure).toMatchObject({ flow: 'turn-of-time', findings: [{ code: 'belief-differs', where: 'sessions' }] })
    // Also in its repetitions.
    expect([...new Set(seen.slice(-6).map((timestamp) => timestamp.slice(5, 16)))].join()).toMatch(minutes)
    const flows = [flowOf(failure!.scenario, 'saved.yaml')]
    const again = await explore({ ...ordering(LOCAL[by]), ...options, flows })
    expect(again.failure).toMatchObject({ findings: [{ where: 'sessions' }] })
    const fixed = await explore({ ...ordering((timestamp) => timestamp), ...options, flows })
    expect(fixed.failure?.story).toBeUndefined()
  },
)

test('an application may end a session by its time on the clock of the service, which goes back in the next run', async () => {
  const expiries: Record<string, string> = {}
  let now = ''
  const application: ExploreOptions = {
    truth: () => ({
      sessions: Object.fromEntries(Object.entries(expiries).map(([phone, at]) => [phone, at <= now ? null : at])),
    }),
    handler({ body }) {
      const { event, timestamp, data } = JSON.parse(body)
      if (timestamp > now) now = timestamp
      if (event === 'conversation.started') expiries[data.from] = data.session_expires_at
      return 200
    },
  }
  const options = { ...application, settleMs: 20, idleSeconds: 0, disturbances: [] }
  const flows = ['open-conversation', 'turn-of-time']
  const first = await explore({ ...options, flows, schedules: 1 + instants.length })
  expect(first.failure?.story).toBeUndefined()
  const { failure } = await explore({ ...options, flows: ['open-conversation'], schedules: 1 })
  expect(failure?.findings).toMatchObject([{ where: 'sessions', message: expect.stringContaining('says null') }])
  expect(failure?.remedies.at(-1)).toMatch(/^The application still has people of an earlier run/)
})
