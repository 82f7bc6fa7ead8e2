import { machineMs } from '../../world/machine-time.ts'

/** A silent host is expected to stay silent for this time, machine ms. */
const REMEMBERED_MS = 30_000
/** Reduced shares of the time limit meanwhile, for connections and for answers. */
const SHARES = { dead: 1 / 50, silent: 1 / 10 }

type Fault = keyof typeof SHARES

/** Silent hosts by origin, the latest last. Kept outside worlds, because they depend on the machine. */
const faults = new Map<string, { fault: Fault; since: number }>()

function faultOf(origin: string): Fault | undefined {
  forgetOld()
  return faults.get(origin)?.fault
}

/**
 * The time limit of an attempt in ms. Advancing past a day of retries waits for a silent host once, not each time. On a
 * running clock slow receivers get the whole time for each answer.
 */
export function timeoutFor(origin: string, usualMs: number, isTimeStanding: boolean): number {
  const fault = faultOf(origin)
  if (fault === undefined || (fault === 'silent' && !isTimeStanding)) return usualMs
  return usualMs * SHARES[fault]
}

/** Records the outcome of an attempt; undefined if the host answered anything. */
export function recordOutcome(origin: string, fault: Fault | undefined) {
  if (faultOf(origin) === fault) return
  faults.delete(origin)
  if (fault !== undefined) faults.set(origin, { fault, since: machineMs() })
}

function forgetOld() {
  for (const [origin, { since }] of faults) {
    if (machineMs() - since <= REMEMBERED_MS) return
    faults.delete(origin)
  }
}
