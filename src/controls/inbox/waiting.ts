import { durationMs } from '../../words/duration.ts'
import { machineMs, pause } from '../../world/machine-time.ts'
import { isRunning } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'

/** Interval of looks, machine ms. */
const LOOK_EVERY_MS = 25

/**
 * Looks until something is found, the time is up, or the caller leaves. The time passes on a running clock, else on the
 * machine: an auto clock rests while the application works. A frozen clock runs what is due now, and ends the wait.
 */
export async function waitIn<Found>(
  world: World,
  within: string,
  signal: AbortSignal,
  look: () => Found | undefined,
): Promise<Found | undefined> {
  const isFrozen = world.clock.pace.mode === 'frozen'
  if (isFrozen) await world.driver.advance(() => world.now())
  const time = () => (isRunning(world.clock.pace) ? world.now() : machineMs())
  const startedAt = time()
  for (;;) {
    const isLast = isFrozen || time() - startedAt >= durationMs(within)
    const found = look()
    if (found !== undefined || isLast) return found
    if (!(await pause(LOOK_EVERY_MS, signal))) return undefined
  }
}
