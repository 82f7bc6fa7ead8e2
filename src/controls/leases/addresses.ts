import { contactWith } from '../../service/contacts/actions.ts'
import { FICTIONAL_ALIKE, fictionalPhone } from '../../words/fictional-phones.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { type LeaseRow, leaseStore } from './store.ts'

/** The domain is kept for examples (RFC 2606), and its top level is one that applications take. */
const emailOf = (n: number): string => `lease-${n}@example.com`

const taken = setting<number>('leases taken', (written) => written ?? 0)

/** An address that no lease and no contact has. Where the numbers begin follows from the seed. */
export function freeAddress(world: World, kind: LeaseRow['kind']): string {
  const start = Math.floor(world.random('leased phones') * FICTIONAL_ALIKE)
  for (let n = taken.of(world) + 1; ; n++) {
    const address = kind === 'phone' ? fictionalPhone(n - 1, start) : emailOf(n)
    if (world.store(leaseStore).withAddress(address) || contactWith(world, address)) continue
    taken.set(world, n)
    return address
  }
}
