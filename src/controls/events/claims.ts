import { problem } from '../../words/problem.ts'
import { machineMs } from '../../world/machine-time.ts'
import type { World } from '../../world/world.ts'

/** A reader who has not moved its cursor for so long, in ms of the machine, may be gone though its connection is not. */
const SILENT_MS = 30_000

/** Who has a cursor. It is theirs while their stream is open, so that a killed one gives it back at once. */
interface Claim {
  holder: string
  heardAtMs: number
  /** Aborts when somebody else has it. */
  readonly lost: AbortController
}

// Streams end with the process, and claims with them.
const claims = new WeakMap<World, Map<string, Claim>>()

function claimsOf(world: World): Map<string, Claim> {
  const known = claims.get(world)
  if (known) return known
  const none = new Map<string, Claim>()
  claims.set(world, none)
  return none
}

export interface Held {
  /** Aborts when the cursor was given to another. */
  lost: AbortSignal
  end(): void
}

/** Gives a cursor to one reader. Throws `cursor_in_use` where another one has it. */
export function claimCursor(world: World, name: string, holder: string): Held {
  refuseOthers(world, name, holder)
  const held = claimsOf(world)
  held.get(name)?.lost.abort()
  const claim: Claim = { holder, heardAtMs: machineMs(), lost: new AbortController() }
  held.set(name, claim)
  return {
    lost: claim.lost.signal,
    end: () => void (held.get(name) === claim && held.delete(name)),
  }
}

/** Whoever moves a cursor that another reader has would make it skip or repeat events. */
export function requireClaim(world: World, name: string, holder: string | undefined) {
  refuseOthers(world, name, holder)
  const claim = claimsOf(world).get(name)
  if (claim) claim.heardAtMs = machineMs()
}

function refuseOthers(world: World, name: string, holder: string | undefined) {
  const claim = claimsOf(world).get(name)
  if (!claim || claim.holder === holder || machineMs() - claim.heardAtMs > SILENT_MS) return
  throw problem('cursor_in_use', `The cursor ${name} is in use by ${claim.holder}.`, {
    cursor: name,
    holder: claim.holder,
  })
}
