import type { Flow } from '../flow.ts'

/** A brand need not have a name yet. */
const BRANDS = [{ display_name: 'Ada Books' }, {}] as const

export const agentFlows: readonly Flow[] = [
  {
    name: 'agent-review',
    summary: 'An agent is rejected and submitted again, and then approved and launched by each carrier',
    variants: BRANDS.length,
    isUndisturbed: 'without records',
    async run({ client, clock, trigger, pick }) {
      const { agent_id } = await client.agents.create({
        region: 'EUROPE',
        billing_category: 'CONVERSATIONAL',
        use_case: 'MULTI_USE',
        ...pick('brand', BRANDS),
      })
      await client.agents.submit(agent_id, {})
      await trigger('agent.rejected', { agent_id })
      await client.agents.update(agent_id, { description: 'Books by post' })
      await client.agents.submit(agent_id, {})
      await trigger('agent.approved', { agent_id })
      await clock.advance('1h')
    },
  },
]
