import { durationMs } from '../../words/duration.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { World } from '../../world/world.ts'
import type { ActiveFault } from './store.ts'

const USUAL_WINDOW = '60s'

export interface FaultWindow {
  closesAt: number
  used: number
}

/** Kept in memory, because a window is shorter than a restart. A reset of the world clears it. */
const windowsOf = (): Map<string, FaultWindow> => new Map()

/** The current window of a limit, on the machine's clock like all rate limits. */
export function windowOf(world: World, { id, fault }: ActiveFault): FaultWindow {
  const lengthMs = durationMs(fault.window ?? USUAL_WINDOW)
  const now = machineNow()
  const windows = world.store(windowsOf)
  const open = windows.get(id)
  if (open && open.closesAt > now) return open
  const fresh = { closesAt: now - (now % lengthMs) + lengthMs, used: 0 }
  windows.set(id, fresh)
  return fresh
}

/** Whole seconds until the window closes, at least 1. */
export const retryAfter = ({ closesAt }: Pick<FaultWindow, 'closesAt'>): number =>
  Math.max(1, Math.ceil((closesAt - machineNow()) / 1000))

export const windowHeaders = (limit: number, { used, closesAt }: FaultWindow) => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': Math.max(0, limit - used),
  'X-RateLimit-Reset': Math.ceil(closesAt / 1000),
})

/** Headers of a 429 that does not come from a window. */
export const refusalHeaders = (retry_after: number) => ({
  'X-RateLimit-Remaining': 0,
  'X-RateLimit-Reset': Math.ceil(machineNow() / 1000) + retry_after,
})
