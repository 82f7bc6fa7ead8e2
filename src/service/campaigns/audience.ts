import { carriersOf } from '../../network/carriers/actions.ts'
import { deviceOf } from '../../network/handsets/actions.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { channelById } from '../channels/actions.ts'
import { type ContactRow, contactByRef, contactsAfter, countContacts } from '../contacts/actions.ts'
import type { Audience, Definition, Send } from './definition.contract.ts'
import { executionStore } from './execution.store.ts'
import type { RunRow } from './store.ts'

export function audienceCount(world: World, { audience }: Definition): number {
  if (!audience) return 0
  if ('contacts' in audience) return new Set(audience.contacts.filter((id) => contactByRef(world, id))).size
  return countContacts(world, tagOf(audience))
}

/** A definition for a world file, which can list only contacts that exist. */
export function withoutDeleted(world: World, definition: Definition): Definition {
  const { audience } = definition
  if (!audience || !('contacts' in audience)) return definition
  return { ...definition, audience: { contacts: audience.contacts.filter((id) => contactByRef(world, id)) } }
}

const tagOf = (audience: Audience): string | undefined => ('tag' in audience ? audience.tag : undefined)

/** Contacts enrolled at once: less than 1 ms of work. */
const PART = 100

/** The next part of an audience after a position, and the position after it. */
export function partOf(
  world: World,
  audience: Audience,
  from: number,
): { ids: string[]; upTo: number; isLast: boolean } {
  if ('contacts' in audience) {
    const part = audience.contacts.slice(from, from + PART)
    const upTo = from + PART
    return { ids: part.filter((id) => contactByRef(world, id)), upTo, isLast: upTo >= audience.contacts.length }
  }
  const rows = contactsAfter(world, from, tagOf(audience), PART)
  return { ids: rows.map(({ id }) => id), upTo: rows.at(-1)?.seq ?? from, isLast: rows.length < PART }
}

/** The channel of a SEND, from its agent or channel. */
export const channelTypeOf = (world: World, { agent_id, channel_id }: Send): ChannelType =>
  agent_id === undefined ? (channelById(world, channel_id!)?.type ?? 'EMAIL') : 'RCS'

/** Finds the address of a contact on the channel of a send; null if it has none. */
export const addressOf = (world: World, send: Send, { phone, email }: ContactRow): string | null =>
  channelTypeOf(world, send) === 'EMAIL' ? email : phone

/** Checked one by one up to this size. A larger audience soon has enough consecutive errors anyway. */
const MAX_ASKED = 100

/** Returns whether all unfinished contacts are on carriers under outage (choices, "Circuit breaker"). */
export function isCutOff(world: World, { seq, pending, in_progress }: RunRow): boolean {
  if (carriersOf(world).every(({ outage }) => outage)) return true
  if (pending + in_progress > MAX_ASKED) return false
  return world
    .store(executionStore)
    .openContacts(seq)
    .every((id) => {
      const phone = contactByRef(world, id)?.phone
      return phone == null || deviceOf(world, phone).carrier.outage
    })
}
