import type { World } from '../world/world.ts'
import { type ChannelRow, channelStore } from './store.ts'

export const channelById = (world: World, id: string) =>
  world.recall(`channel ${id}`, () => {
    const row = world.store(channelStore).get(id)
    return row && viewOf(row)
  })

export const channelOfAgent = (world: World, agentId: string) =>
  world.recall(`channel of ${agentId}`, () => {
    const row = world.store(channelStore).ofAgent(agentId)
    return row && viewOf(row)
  })

const viewOf = ({ channel_id, type, name, active, domain_verified, message_types, agent_id }: ChannelRow) => ({
  channel_id,
  type,
  name,
  agent_id,
  isActive: active === 1,
  isDomainVerified: domain_verified === 1,
  messageTypes: JSON.parse(message_types) as readonly string[],
})

export const channelsOf = (world: World) => world.store(channelStore).list().map(viewOf)

export function templateById(world: World, id: string, version: string | undefined) {
  const row = world.store(channelStore).template(id, version)
  return row && { ...row, content: JSON.parse(row.content) as unknown }
}

export const templatesOf = (world: World) => world.store(channelStore).templates()
