import { expect } from 'vitest'
import type { Client } from '../../../src/index.ts'
import type { Sandbox } from '../../sandbox.ts'

const fresh = { region: 'EUROPE', billing_category: 'NON_CONVERSATIONAL', use_case: 'MULTI_USE' } as const

/** The calls that bring a new agent into each state. */
export const ways: Record<string, (client: Client, id: string) => Promise<unknown>> = {
  DRAFT: async () => {},
  PENDING_REVIEW: (client, id) => client.agents.submit(id),
  REJECTED: async (client, id) => {
    await client.agents.submit(id)
    await client.agents.review(id, { outcome: 'rejected' })
  },
  APPROVED: async (client, id) => {
    await client.agents.submit(id)
    await client.agents.review(id, { outcome: 'approved' })
  },
  SUSPENDED: async (client, id) => {
    await ways.APPROVED!(client, id)
    await client.agents.suspend(id)
  },
}

/** The id of a new agent in this state. */
export async function agentIn({ client }: Sandbox, state: string): Promise<string> {
  const { agent_id } = await client.agents.create(fresh)
  await ways[state]!(client, agent_id)
  expect(await client.agents.get(agent_id)).toMatchObject({ status: state })
  return agent_id
}
