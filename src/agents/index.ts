import { z } from 'zod'
import { type Noun, route, section } from '../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as control from './control-contract.ts'
import * as dashboard from './dashboard.ts'
import { agentWork } from './lifecycle.ts'
import { dumpAgents, dumpReview, loadAgents, loadReview } from './seed.ts'
import { tables } from './store.ts'
import { AgentEntry, ReviewTerms } from './world-contract.ts'

/** RCS agents: the verified senders of the brand (interface §2.7, §3.5, §4.3). */
export const agents: Noun = {
  tables,
  routes: [
    route(contract.create, actions.create),
    route(contract.get, actions.get),
    route(contract.update, actions.update),
    route(contract.submit, actions.submit),
    route(contract.launch, actions.launch),
    route(control.provision, dashboard.provision),
    route(control.review, dashboard.review),
    route(control.suspend, dashboard.suspend),
    route(control.reinstate, dashboard.reinstate),
    route(control.setLaunch, dashboard.setLaunch),
  ],
  inside: agentWork,
  sections: [
    section(
      'review',
      ReviewTerms.prefault({}).describe('What becomes of agents that are submitted, and how fast.'),
      loadReview,
      dumpReview,
    ),
    section(
      'agents',
      z
        .array(AgentEntry)
        .describe('RCS agents, in any status; approved and launched everywhere unless said otherwise.'),
      loadAgents,
      dumpAgents,
    ),
  ],
}
