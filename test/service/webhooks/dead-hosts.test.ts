import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { LIMIT_STEPS, stepOf } from '../../../src/http/sleep.ts'
import { recordOutcome, timeoutFor } from '../../../src/service/webhooks/host-timeouts.ts'
import { realTime } from '../../../src/world/real-time.ts'
import { urlOf } from '../../url-of.ts'
import { makeContact, startImpatient } from './empty-world.ts'

test('a host that refuses connections is waited for once in full, and then only briefly', () => {
  const dead = 'http://10.1.2.3:1'
  for (const isTimeStanding of [true, false]) {
    expect(timeoutFor(dead, 5_000, isTimeStanding)).toBe(5_000)
    recordOutcome(dead, 'dead')
    expect(timeoutFor(dead, 5_000, isTimeStanding)).toBe(100)
    expect(timeoutFor('http://10.1.2.3:2', 5_000, isTimeStanding)).toBe(5_000)
    recordOutcome(dead, undefined)
    expect(timeoutFor(dead, 5_000, isTimeStanding)).toBe(5_000)
  }
})

test('a silent receiver gets the full timeout once and less afterwards, but only on a frozen clock', () => {
  const silent = 'http://10.1.2.4:1'
  recordOutcome(silent, 'silent')
  expect(timeoutFor(silent, 5_000, true)).toBe(500)
  expect(timeoutFor(silent, 5_000, false)).toBe(5_000)
  recordOutcome(silent, undefined)
  expect(timeoutFor(silent, 5_000, true)).toBe(5_000)
})

test('silent hosts are forgotten after half a minute', () => {
  let now = realTime.ms()
  vi.spyOn(realTime, 'ms').mockImplementation(() => now)
  const set = vi.spyOn(Map.prototype, 'set')
  const hosts = Array.from({ length: 100 }, (_, i) => `http://10.1.3.${i}:1`)
  for (const host of hosts) recordOutcome(host, 'dead')
  const kept = set.mock.contexts.at(-1) as unknown as ReadonlyMap<string, unknown>
  expect([...kept.keys()]).toEqual(expect.arrayContaining(hosts))
  now += 30_001
  recordOutcome(hosts[5]!, 'silent')
  expect([...kept.keys()]).toEqual([hosts[5]])
  expect(timeoutFor(hosts[6]!, 5_000, true)).toBe(5_000)
})

test('an advance past a day of retries does not wait for every unanswered attempt in full', async () => {
  const url = `${await urlOf(createServer(() => {}))}/hook`
  await using sandbox = await startImpatient()
  await sandbox.client.webhooks.create({ url, events: ['contact.created'] })
  await makeContact(sandbox)
  const timers = vi.spyOn(realTime, 'setTimeout')
  await sandbox.clock.advance('25h')
  // Of five attempts the first has 400 ms.
  const steps = timers.mock.calls.map(([, ms]) => ms).filter((ms) => [stepOf(400), stepOf(40)].includes(ms))
  expect(steps).toEqual(Array.from({ length: 5 * LIMIT_STEPS }, (_, n) => stepOf(n < LIMIT_STEPS ? 400 : 40)))
  expect((await sandbox.client.events.deliveries()).data).toMatchObject([{ status: 'failed' }])
})
