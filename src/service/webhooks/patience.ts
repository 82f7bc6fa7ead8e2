import { machineMs } from '../../world/machine-time.ts'

/** How long a host that took no connection counts as dead, in ms of the machine. */
const DEAD_MS = 30_000
/** The part of the usual time that a connection to it gets meanwhile. */
const SHARE = 1 / 50

/** When a host did not take a connection in time, by its origin: a matter of the machine, so of no world. */
const deadSince = new Map<string, number>()

const isDead = (origin: string) => machineMs() - (deadSince.get(origin) ?? Number.NEGATIVE_INFINITY) <= DEAD_MS

/** How long an attempt may take, in ms. A clock that is advanced past a day of retries pays for a dead host once, not each time. */
export const patienceWith = (origin: string, usualMs: number): number => (isDead(origin) ? usualMs * SHARE : usualMs)

export function noteConnection(origin: string, wasTaken: boolean) {
  if (wasTaken) deadSince.delete(origin)
  else if (!isDead(origin)) deadSince.set(origin, machineMs())
}
