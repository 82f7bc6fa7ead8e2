import { problem } from '../../words/problem.ts'
import { machineMs } from '../../world/machine-time.ts'
import type { World } from '../../world/world.ts'

/** A reader who has not moved its cursor for so long, in ms of the machine, may be gone though its connection is not. */
const SILENT_MS = 30_000

/** Who has a cursor. It is theirs while their stream is open, so that a killed one gives it back at once. */
interface Lease {
  holder: string
  heardAtMs: number
  /** Aborts when somebody else has it. */
  readonly lost: AbortController
}

// Streams end with the process, and leases with them.
const leases = new WeakMap<World, Map<string, Lease>>()

function leasesOf(world: World): Map<string, Lease> {
  const known = leases.get(world)
  if (known) return known
  const none = new Map<string, Lease>()
  leases.set(world, none)
  return none
}

export interface Held {
  /** Aborts when the cursor was given to another. */
  lost: AbortSignal
  end(): void
}

/** Gives a cursor to one reader. Throws `cursor_in_use` where another one has it. */
export function takeLease(world: World, name: string, holder: string): Held {
  refuseOthers(world, name, holder)
  const held = leasesOf(world)
  held.get(name)?.lost.abort()
  const lease: Lease = { holder, heardAtMs: machineMs(), lost: new AbortController() }
  held.set(name, lease)
  return {
    lost: lease.lost.signal,
    end: () => void (held.get(name) === lease && held.delete(name)),
  }
}

/** Whoever moves a cursor that another reader has would make it skip or repeat events. */
export function requireLease(world: World, name: string, holder: string | undefined) {
  refuseOthers(world, name, holder)
  const lease = leasesOf(world).get(name)
  if (lease) lease.heardAtMs = machineMs()
}

function refuseOthers(world: World, name: string, holder: string | undefined) {
  const lease = leasesOf(world).get(name)
  if (!lease || lease.holder === holder || machineMs() - lease.heardAtMs > SILENT_MS) return
  throw problem('cursor_in_use', `The cursor ${name} is in use by ${lease.holder}.`, {
    cursor: name,
    holder: lease.holder,
  })
}
