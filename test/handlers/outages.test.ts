import { expect, test } from 'vitest'
import { explore } from '../../src/handlers/explore/explore.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { shop } from './shop.ts'

const DAY = 86_400_000

/** An application that keeps revoked messages. It ignores events that are older than the newest one by `days`. */
function office(days = Number.POSITIVE_INFINITY) {
  const messages: Record<string, string> = {}
  let newest = 0
  return {
    truth: () => ({ messages }),
    handler({ body }: { body: string }) {
      const { event, timestamp, data } = JSON.parse(body)
      newest = Math.max(newest, Date.parse(timestamp))
      if (newest - Date.parse(timestamp) > days * DAY) return 200
      if (event === 'message.revoked') messages[data.message_id] = 'revoked'
      if (event === 'message.queued') messages[data.message_id] ??= 'queued'
      return 200
    },
  }
}

const options = { flows: ['revocation'], settleMs: 20, idleSeconds: 0, seed: 'o' }

test('an application that ignores old events is found by an outage, repeated and saved', async () => {
  const disturbances = ['outage'] as const
  const { failure } = await explore({ ...office(30), ...options, disturbances })
  expect(failure).toMatchObject({
    schedule: { perturbations: [{ kind: 'outage' }], quick: true },
    findings: [{ where: 'messages' }],
    remedies: [expect.stringContaining('Accept an event of any age')],
  })
  expect(failure!.story).toContain('40 days late, because all attempts failed in an outage')
  const flows = [flowOf(failure!.scenario, 'saved.yaml')]
  expect((await explore({ ...office(30), ...options, flows })).failure).not.toBeNull()
  expect((await explore({ ...office(), ...options, flows })).failure).toBeNull()
})

test('an application that accepts events of any age passes, and no open session is days old', async () => {
  const disturbances = ['outage'] as const
  const { failure, coverage } = await explore({ ...office(), ...options, disturbances })
  expect(failure?.story).toBeUndefined()
  expect(coverage.outages).toEqual({ played: 1, of: 1 })
  const open = await explore({
    handler: () => 200,
    truth: () => ({ messages: {} }),
    ...options,
    events: ['conversation.*'],
    flows: ['tap'],
    disturbances,
  })
  expect(open.coverage.outages.of).toBe(0)
})

test('a list that contains the newest suppressed addresses only is found when it is full', async () => {
  const suppressing = { ...options, flows: ['bounce', 'opt-out', 'lasting-stop'], disturbances: ['delay'] } as const
  const explored = (most: number) => {
    const { handler, truth } = shop()
    const listed = () => Object.fromEntries(Object.entries(truth().suppressed).slice(-most))
    return explore({ handler, truth: () => ({ ...truth(), suppressed: listed() }), ...suppressing })
  }
  const { failure } = await explored(300)
  expect(failure?.findings[0]).toMatchObject({ where: 'suppressed', earlier: true })
  expect((await explored(10_000)).failure?.story).toBeUndefined()
})
