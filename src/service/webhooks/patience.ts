import { machineMs } from '../../world/machine-time.ts'

/** How long a host that left us waiting is expected to do so again, in ms of the machine. */
const REMEMBERED_MS = 30_000
/** The part of the usual time that is given meanwhile: to a connection that nobody takes, and to an answer. */
const SHARES = { dead: 1 / 50, silent: 1 / 10 }

type Fault = keyof typeof SHARES

/** Hosts that took no connection in time, or gave no answer, by origin: a matter of the machine, so of no world. */
const faults = new Map<string, { fault: Fault; since: number }>()

function faultOf(origin: string): Fault | undefined {
  const known = faults.get(origin)
  return known && machineMs() - known.since <= REMEMBERED_MS ? known.fault : undefined
}

/**
 * How long an attempt may take, in ms. A clock that is advanced past a day of retries pays for a host once, not each time.
 * Where time runs, a receiver that is only slow gets its whole time for each answer.
 */
export function patienceWith(origin: string, usualMs: number, isTimeStanding: boolean): number {
  const fault = faultOf(origin)
  if (fault === undefined || (fault === 'silent' && !isTimeStanding)) return usualMs
  return usualMs * SHARES[fault]
}

/** What came of an attempt: undefined where the host has said anything at all. */
export function noteHost(origin: string, fault: Fault | undefined) {
  if (fault === undefined) faults.delete(origin)
  else if (faultOf(origin) !== fault) faults.set(origin, { fault, since: machineMs() })
}
