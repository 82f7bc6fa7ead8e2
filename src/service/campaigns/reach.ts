import { carriersOf } from '../../network/carriers/actions.ts'
import { deviceOf } from '../../network/handsets/actions.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { channelById } from '../channels/actions.ts'
import { type ContactRow, contactByRef } from '../contacts/actions.ts'
import type { Send } from './definition.contract.ts'
import { executionStore } from './execution.store.ts'
import type { RunRow } from './store.ts'

/** Over which channel a SEND goes: that of its agent or channel. */
export const channelTypeOf = (world: World, { agent_id, channel_id }: Send): ChannelType =>
  agent_id === undefined ? (channelById(world, channel_id!)?.type ?? 'EMAIL') : 'RCS'

/** Finds the address of a contact on the channel of a send; null where it has none. */
export const addressOf = (world: World, send: Send, { phone, email }: ContactRow): string | null =>
  channelTypeOf(world, send) === 'EMAIL' ? email : phone

/** Asked about one by one. A larger audience soon has enough errors in a row anyway, and asking takes time. */
const MOST_ASKED = 100

/** Says whether all unfinished contacts are on carriers under outage (choices, "Circuit breaker"). */
export function isCutOff(world: World, { seq, pending, in_progress }: RunRow): boolean {
  if (carriersOf(world).every(({ outage }) => outage)) return true
  if (pending + in_progress > MOST_ASKED) return false
  return world
    .store(executionStore)
    .openContacts(seq)
    .every((id) => {
      const phone = contactByRef(world, id)?.phone
      return phone == null || deviceOf(world, phone).carrier.outage
    })
}
