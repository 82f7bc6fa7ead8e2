import type { World } from '../world/world.ts'
import { type AgentRow, agentStore, type Launch } from './store.ts'

export interface Agent extends Omit<AgentRow, 'launches' | 'newsletter_enabled'> {
  newsletter_enabled: boolean
  launches: readonly Launch[]
}

export function agentById(world: World, id: string): Agent | undefined {
  return world.recall(`agent ${id}`, () => {
    const row = world.store(agentStore).get(id)
    return row && { ...row, newsletter_enabled: row.newsletter_enabled === 1, launches: JSON.parse(row.launches) }
  })
}

export const agentsOf = (world: World): AgentRow[] => world.store(agentStore).list()

export const isLaunchedOn = (agent: Agent, carrier: string): boolean =>
  agent.launches.some((launch) => launch.carrier === carrier && launch.status === 'LAUNCHED')

export const isLaunchedAnywhere = (agent: Agent): boolean => agent.launches.some(({ status }) => status === 'LAUNCHED')
