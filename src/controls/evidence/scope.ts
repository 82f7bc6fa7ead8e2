import { listOfAddress } from '../../service/messages/of-address.ts'
import type { World } from '../../world/world.ts'
import { eventsOfLease, leaseScope } from '../leases/actions.ts'

/** The part of a world that evidence is about: all of it, or what concerns some leases. */
export type EvidenceScope = { isWhole: true; mentions: (text: string) => boolean } | LeasesScope

interface LeasesScope {
  isWhole: false
  messageIds: readonly string[]
  /** Positions in the event log. */
  events: readonly number[]
  /** Returns whether a text names something of the leases. */
  mentions: (text: string) => boolean
}

const MAX_MESSAGES = 200

export function scopeOf(world: World, leases: string | undefined): EvidenceScope {
  if (leases === undefined) return { isWhole: true, mentions: () => true }
  const ids = leases.split(',')
  const scopes = ids.map((id) => leaseScope(world, id))
  const messageIds = scopes.flatMap((scope) =>
    listOfAddress(world, scope, { limit: MAX_MESSAGES }).messages.map(({ id }) => id),
  )
  const addresses = scopes.flatMap(({ address }) => [address, encodeURIComponent(address)])
  const names = [...addresses, ...ids, ...scopes.flatMap(({ contactIds }) => contactIds), ...messageIds]
  return {
    isWhole: false,
    messageIds,
    events: ids.flatMap((id) => eventsOfLease(world, id)),
    mentions: (text) => names.some((name) => text.includes(name)),
  }
}
