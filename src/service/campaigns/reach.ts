import type { ChannelType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { channelById } from '../channels/actions.ts'
import type { ContactRow } from '../contacts/actions.ts'
import type { Send } from './definition.contract.ts'

/** Over which channel a SEND goes: that of its agent or channel. */
export const channelTypeOf = (world: World, { agent_id, channel_id }: Send): ChannelType =>
  agent_id === undefined ? (channelById(world, channel_id!)?.type ?? 'EMAIL') : 'RCS'

/** Where a contact is reached over that channel; null where it is not. */
export const addressOf = (world: World, send: Send, { phone, email }: ContactRow): string | null =>
  channelTypeOf(world, send) === 'EMAIL' ? email : phone
