import { z } from 'zod'
import { AgentId } from '../words/ids.ts'
import { type Noun, section } from '../world/noun.ts'
import { carrierNames } from '../carriers/actions.ts'
import { AgentStatus, BillingCategory, UseCase } from './contract.ts'
import { agentStore, type Launch, tables } from './store.ts'

const AgentEntry = z.strictObject({
  agent_id: AgentId,
  status: AgentStatus.default('APPROVED'),
  billing_category: BillingCategory.default('CONVERSATIONAL'),
  use_case: UseCase,
  newsletter_enabled: z.boolean().default(false),
  display_name: z.string(),
  description: z.string().optional(),
  color: z.string().optional(),
  logo_url: z.string().optional(),
  banner_url: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  website: z.string().optional(),
  privacy_policy_url: z.string().optional(),
  terms_of_service_url: z.string().optional(),
  launched_on: z.array(z.string()).optional().describe('Names of carriers; all of them for an APPROVED agent unless given.'),
})

export const agents: Noun = {
  tables,
  sections: [
    section('agents', z.array(AgentEntry), (world, list) => {
      const now = world.now()
      for (const { agent_id, status, billing_category, use_case, newsletter_enabled, launched_on, ...profile } of list) {
        const approved = status === 'APPROVED'
        const live = launched_on ?? (approved ? carrierNames(world) : [])
        world.store(agentStore).insert({
          agent_id,
          status,
          region: 'EUROPE',
          billing_category,
          use_case,
          newsletter_enabled: newsletter_enabled ? 1 : 0,
          profile: JSON.stringify(profile),
          launches: JSON.stringify(approved ? launchesOf(carrierNames(world), live, now) : []),
          created_at: now,
          submitted_at: status === 'DRAFT' ? null : now,
          approved_at: approved ? now : null,
          rejected_at: status === 'REJECTED' ? now : null,
          rejection_reason: null,
        })
      }
    }),
  ],
}

const launchesOf = (carriers: string[], live: string[], now: number): Launch[] =>
  carriers.map((carrier) => ({
    carrier,
    status: live.includes(carrier) ? 'LAUNCHED' : 'UNLAUNCHED',
    launched_at: live.includes(carrier) ? now : null,
    rejection_reason: null,
  }))
