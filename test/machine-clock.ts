import { expect, onTestFinished, vi } from 'vitest'
import { LIMIT_STEPS, stepOf } from '../src/http/sleep.ts'
import { steady } from '../src/world/machine-time.ts'
import { type RealTimer, realTime } from '../src/world/real-time.ts'

/** What a test sets must not be an earlier time for others: a process never goes back. */
export function forgetMachineTime() {
  const forget = () => steady.continueFrom(Number.NEGATIVE_INFINITY)
  forget()
  onTestFinished(forget)
}

/** Holds the machine's clock at half past a minute until the test is over, so that no window turns meanwhile. Its timers run. */
export function holdMachineClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
  forgetMachineTime()
  onTestFinished(() => void vi.useRealTimers())
  // The sandbox uses the real clock, even with fake timers.
  vi.spyOn(realTime, 'now').mockImplementation(() => Date.now())
}

/** Puts a clock that is held forward. */
export const moveMachineClock = (ms: number) => void vi.setSystemTime(Date.now() + ms)

/**
 * Holds the timers of the sandbox that last exactly this many milliseconds: they run when the test says so. A time limit
 * then ends what the test means it to end, on a slow machine too, and costs no time.
 */
export function holdTimers(heldMs: number) {
  const { setTimeout, clearTimeout } = realTime
  const held = new Map<RealTimer, () => void>()
  let started = 0
  vi.spyOn(realTime, 'setTimeout').mockImplementation((callback, ms) => {
    if (ms !== heldMs) return setTimeout(callback, ms)
    const timer = { unref: () => timer }
    held.set(timer, callback)
    started++
    return timer
  })
  vi.spyOn(realTime, 'clearTimeout').mockImplementation((timer) => {
    if (!timer || !held.delete(timer)) clearTimeout(timer)
  })
  return {
    /** Timers that were started so far. */
    started: () => started,
    /** Waits until one is running, and lets the time of all pass. */
    async pass() {
      await expect.poll(() => held.size).toBeGreaterThan(0)
      for (const [timer, callback] of [...held]) {
        held.delete(timer)
        callback()
      }
    },
  }
}

/** The same for the time limits of this many milliseconds. */
export function holdLimits(ms: number) {
  const steps = holdTimers(stepOf(ms))
  return {
    ...steps,
    async pass() {
      for (let step = 0; step < LIMIT_STEPS; step++) await steps.pass()
    },
  }
}
