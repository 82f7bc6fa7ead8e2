import { contactWith } from '../../service/contacts/actions.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { type LeaseRow, leaseStore } from './store.ts'

/**
 * Numbers that nobody has: the North American plan keeps 555-0100 to 555-0199 of every area for fiction, and applications
 * that check numbers take them. These are the areas whose last two digits are in use in all eight hundreds.
 */
const AREAS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19].flatMap((area) =>
  [2, 3, 4, 5, 6, 7, 8, 9].map((hundreds) => hundreds * 100 + area),
)
const LINES = 100

/** So many phones can be leased before the first comes again; by then it has been released for long. */
export const PHONES = AREAS.length * LINES

const phoneOf = (n: number): string =>
  `+1${AREAS[Math.floor(n / LINES) % AREAS.length]}55501${String(n % LINES).padStart(2, '0')}`

/** The domain is kept for examples (RFC 2606), and its top level is one that applications take. */
const emailOf = (n: number): string => `lease-${n}@example.com`

const taken = setting<number>('leases taken', (written) => written ?? 0)

/** An address that no lease and no contact has. Where the numbers begin follows from the seed. */
export function freeAddress(world: World, kind: LeaseRow['kind']): string {
  const start = Math.floor(world.random('leased phones') * PHONES)
  for (let n = taken.of(world) + 1; ; n++) {
    const address = kind === 'phone' ? phoneOf((start + n) % PHONES) : emailOf(n)
    if (world.store(leaseStore).withAddress(address) || contactWith(world, address)) continue
    taken.set(world, n)
    return address
  }
}
