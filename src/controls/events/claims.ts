import { lazilyFor } from '../../words/lazy.ts'
import { problem } from '../../words/problem.ts'
import { machineMs } from '../../world/machine-time.ts'
import type { World } from '../../world/world.ts'

/** A reader whose cursor has not moved for this long (machine ms) may be gone though its connection is open. */
const SILENT_MS = 30_000

/** The holder of a cursor. The claim ends with its stream, so a killed reader frees the cursor at once. */
interface Claim {
  holder: string
  heardAtMs: number
  /** Aborts when the claim passes to another reader. */
  readonly lost: AbortController
}

// Kept in memory: streams and claims end with the process.
const claimsOf = lazilyFor((_: World) => new Map<string, Claim>())

export interface Held {
  /** Aborts when the claim passes to another reader. */
  lost: AbortSignal
  end(): void
}

/** Claims a cursor. Throws `cursor_in_use` where another reader holds it. */
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

/** Refuses to move a cursor that another reader holds, because that reader would skip or repeat events. */
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
