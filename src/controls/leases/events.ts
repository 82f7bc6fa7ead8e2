import { addressesOfEvent } from '../../service/contacts/addresses.ts'
import type { LogListener } from '../../service/events/listeners.ts'
import type { MoreHeaders } from '../../service/webhooks/listeners.ts'
import { leaseStore } from './store.ts'

/** Follows the event log and notes which events concern a leased address. */
export const leaseListener: LogListener = {
  written(world, event) {
    const store = world.store(leaseStore)
    if (store.count() === 0) return
    const { addresses, contactId } = addressesOfEvent(world, event.body)
    const byAddress = addresses.map((address) => store.withAddress(address)).filter((id) => id !== undefined)
    const leases = new Set([...byAddress, ...(contactId === undefined ? [] : store.withContact({ id: contactId }))])
    for (const id of leases) store.noteEvent(id, event.seq, contactId ?? null)
  },
  needed: () => [],
  dropped: (world, from, through) => world.store(leaseStore).dropEvents(from, through),
}

/** A webhook says which leases it concerns, so that one receiver can serve many tests. */
export const leaseHeader: MoreHeaders = (world, { seq }) => {
  const leases = world.store(leaseStore).leasesOf(seq)
  const headers: Record<string, string> = {}
  if (leases.length > 0) headers['X-Sandbox-Lease'] = leases.join(', ')
  return headers
}
