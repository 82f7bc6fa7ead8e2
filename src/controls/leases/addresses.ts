import { contactWith } from '../../service/contacts/actions.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { type LeaseRow, leaseStore } from './store.ts'

/** Areas of the North American plan, 201 to 919: those of these last two digits exist with each first digit from 2 to 9. */
const AREAS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19].flatMap((area) =>
  [2, 3, 4, 5, 6, 7, 8, 9].map((hundreds) => hundreds * 100 + area),
)
/** The count of numbers that differ in area and last two digits only, such as 555-0100 to 555-0199 of all areas. */
const ALIKE = AREAS.length * 100
/** 555-1212 is directory assistance. */
const BLOCKS = Array.from({ length: 99 }, (_, i) => i + 1).filter((block) => block !== 12)

/**
 * Unassigned numbers: the plan reserves 555-0100 to 555-0199 of every area for fiction, and assigns no other number of 555.
 * Applications that validate numbers accept them. 1.3 million can be leased before the first repetition, because an application
 * may remember a number as long as it runs.
 */
export function phoneOf(n: number, start: number): string {
  const place = (start + n) % ALIKE
  const block = BLOCKS[Math.floor(n / ALIKE) % BLOCKS.length]!
  const line = `${String(block).padStart(2, '0')}${String(place % 100).padStart(2, '0')}`
  return `+1${AREAS[Math.floor(place / 100)]}555${line}`
}

/** The domain is kept for examples (RFC 2606), and its top level is one that applications take. */
const emailOf = (n: number): string => `lease-${n}@example.com`

const taken = setting<number>('leases taken', (written) => written ?? 0)

/** An address that no lease and no contact has. Where the numbers begin follows from the seed. */
export function freeAddress(world: World, kind: LeaseRow['kind']): string {
  const start = Math.floor(world.random('leased phones') * ALIKE)
  for (let n = taken.of(world) + 1; ; n++) {
    const address = kind === 'phone' ? phoneOf(n - 1, start) : emailOf(n)
    if (world.store(leaseStore).withAddress(address) || contactWith(world, address)) continue
    taken.set(world, n)
    return address
  }
}
