import { onTestFinished, vi } from 'vitest'

/** Holds the machine's clock at half past a minute until the test is over, so that no window turns meanwhile. Its timers run. */
export function holdMachineClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
  onTestFinished(() => void vi.useRealTimers())
}

/** Puts a clock that is held forward. */
export const moveMachineClock = (ms: number) => void vi.setSystemTime(Date.now() + ms)
