import { addressesOfEvent } from '../../service/contacts/addresses.ts'
import type { LogListener } from '../../service/events/listeners.ts'
import type { EventRow } from '../../service/events/log.ts'
import type { MoreHeaders } from '../../service/webhooks/listeners.ts'
import type { World } from '../../world/world.ts'
import { leaseStore } from './store.ts'

/** Follows the event log and notes which events concern a leased address. */
export const leaseListener: LogListener = {
  written(world, event) {
    for (const id of leasesAbout(world, event)) world.store(leaseStore).noteEvent(id, event.seq, event.subject)
  },
  needed: () => [],
  dropped: (world, from, through) => world.store(leaseStore).dropEvents(from, through),
}

function leasesAbout(world: World, { body }: EventRow): Set<string> {
  const store = world.store(leaseStore)
  if (store.count() === 0) return NONE
  const { addresses, contactId } = addressesOfEvent(world, body)
  const byAddress = addresses.map(store.withAddress).filter((id) => id !== undefined)
  return new Set([...byAddress, ...(contactId === undefined ? [] : store.withContact(contactId))])
}

const NONE = new Set<string>()

/** A webhook says which leases it concerns, so that one receiver can serve many tests. */
export const leaseHeader: MoreHeaders = (world, { seq }) => {
  const leases = world.store(leaseStore).leasesOf(seq)
  const headers: Record<string, string> = {}
  if (leases.length > 0) headers['X-Sandbox-Lease'] = leases.join(', ')
  return headers
}
