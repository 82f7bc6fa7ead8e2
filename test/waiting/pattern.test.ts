import { expect, test, vi } from 'vitest'
import { matches, PatternFault } from '../../src/waiting/pattern.ts'

test('time in which the process had no CPU is not the time of a pattern', () => {
  const usage = vi.spyOn(process, 'threadCpuUsage')
  for (let i = 0; i < 10; i++) usage.mockReturnValueOnce({ user: 0, system: 0 })
  usage.mockReturnValue({ user: 60_000_000, system: 0 })
  expect(() => matches('^(a+)+$', `${'a'.repeat(40)}b`, { timeoutMs: 1 })).toThrow(PatternFault)
  expect(usage.mock.calls.length).toBeGreaterThan(10)
})
