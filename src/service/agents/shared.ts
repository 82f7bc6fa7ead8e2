import { carrierNames } from '../../network/carriers/actions.ts'
import type { World } from '../../world/world.ts'
import { type Agent, agentById } from './actions.ts'
import { TEST_AGENT_ID } from './contract.ts'
import { type AgentInput, draftOf, launchesOn } from './rules.ts'

/** The channel that messages of the Test Agent carry in the log. */
export const TEST_CHANNEL_ID = 'ch_7e57a9e4-0000-4000-8000-000000000000'

export const testChannel = {
  channel_id: TEST_CHANNEL_ID,
  active: true,
  message_types: ['MESSAGE', 'NEWSLETTER'],
} as const

const TEST_AGENT: AgentInput = {
  region: 'EUROPE',
  billing_category: 'NON_CONVERSATIONAL',
  use_case: 'MULTI_USE',
  newsletter_enabled: false,
  display_name: 'Test Agent',
}

/** The shared Test Agent: approved, live on every carrier, billed by message. */
export function testAgent(world: World): Agent {
  const carriers = carrierNames(world)
  return {
    ...draftOf(TEST_AGENT_ID, TEST_AGENT, 0),
    status: 'APPROVED',
    approved_at: 0,
    launches: launchesOn(carriers, carriers, 'LAUNCHED', 0),
  }
}

/** Finds the sender of a message: an agent of the account, or the Test Agent. */
export const senderById = (world: World, id: string): Agent | undefined =>
  id === TEST_AGENT_ID ? testAgent(world) : agentById(world, id)
