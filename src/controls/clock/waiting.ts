import type { UntilOptions } from '../../waiting/until.ts'
import { durationMs } from '../../words/duration.ts'
import { isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'

const LOOK_EVERY_MS = 10

/** The clock of a world, as everything that waits reads it. */
export const clockOf = (world: World) => ({
  mode: world.clock.pace.mode,
  now: world.timestamp(),
  next_due_at: isoTimeOrNull(world.driver.nextDueAt() ?? null),
  at_rest: world.driver.isAtRest,
})

/**
 * The limits of a call that waits in a world, on its clock. Work that is due now on a frozen clock runs first, because
 * that clock ends the wait.
 */
export async function limitsIn(world: World, within: string, signal: AbortSignal): Promise<UntilOptions> {
  await runDueNow(world)
  return { withinMs: durationMs(within), clock: () => clockOf(world), everyMs: LOOK_EVERY_MS, signal }
}

/** Runs what is due now on a frozen clock, deliveries included, after an advance in progress. */
export async function runDueNow(world: World): Promise<{ isFrozen: boolean }> {
  const isFrozen = world.clock.pace.mode === 'frozen'
  if (isFrozen) await world.driver.advance(() => world.now())
  return { isFrozen }
}
