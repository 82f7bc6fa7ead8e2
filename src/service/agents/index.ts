import { z } from 'zod'
import { hooked } from '../../world/hook.ts'
import { listSection, type Noun, routesOf, section } from '../../world/noun.ts'
import { senders } from '../channels/world-file.ts'
import * as actions from './actions.ts'
import { agentsOf } from './actions.ts'
import * as contract from './contract.ts'
import { agentWork } from './lifecycle.ts'
import { tables } from './store.ts'
import { AgentEntry, ReviewTerms } from './world-file.contract.ts'
import { dumpAgents, dumpReview, loadAgent, loadReview } from './world-file.ts'

/** RCS agents: the verified senders of the brand (interface §2.7, §3.5, §4.3). */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions),
  localWork: agentWork,
  hooks: [
    hooked(senders, (world) =>
      agentsOf(world).map(({ agent_id, profile, approved_at }) => ({
        agent_id,
        name: profile.display_name,
        isApproved: approved_at !== null,
      })),
    ),
  ],
  sections: [
    section(
      'review',
      ReviewTerms.prefault({}).describe('Outcome and duration of reviews and launches.'),
      loadReview,
      dumpReview,
    ),
    listSection(
      'agents',
      z.array(AgentEntry).describe('RCS agents in any status (default: approved and launched on all carriers).'),
      loadAgent,
      dumpAgents,
    ),
  ],
}
