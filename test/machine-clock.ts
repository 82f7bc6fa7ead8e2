import { onTestFinished, vi } from 'vitest'
import { realTime } from '../src/world/real-time.ts'

/** Holds the machine's clock at half past a minute until the test is over, so that no window turns meanwhile. Its timers run. */
export function holdMachineClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
  onTestFinished(() => void vi.useRealTimers())
  // The sandbox uses the real clock, even with fake timers.
  vi.spyOn(realTime, 'now').mockImplementation(() => Date.now())
}

/** Puts a clock that is held forward. */
export const moveMachineClock = (ms: number) => void vi.setSystemTime(Date.now() + ms)
