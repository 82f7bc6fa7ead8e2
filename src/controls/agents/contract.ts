import { z } from 'zod'
import { CarrierName } from '../../network/carriers/contract.ts'
import { AgentRecord, agentParams, LaunchStatus, launchAgent, NewAgent } from '../../service/agents/contract.ts'
import { isEqual, isGiven, rule, when, withRules } from '../../words/field-conditions.ts'
import { operation } from '../../words/operation.ts'
import { text } from '../../words/text.ts'

/** Stands for the service's dashboard and its reviewers, which the API does not offer. */

export const provisionAgent = operation({
  id: 'agents.provision',
  summary: 'Create an approved and launched agent',
  call: 'POST /_sandbox/agents',
  access: 'namespace',
  body: NewAgent.extend({
    launched_on: z.array(CarrierName).optional().describe('Names of carriers (default: all carriers).'),
  }).meta({ example: NewAgent.meta()?.example }),
  output: AgentRecord,
  status: 201,
})

const onAgent = {
  access: 'namespace',
  params: agentParams,
  output: AgentRecord,
  problems: ['agent_state_conflict'],
} as const

export const reviewAgent = operation({
  ...onAgent,
  id: 'agents.review',
  summary: 'Approve or reject an agent in review',
  call: 'POST /_sandbox/agents/{id}/review',
  body: withRules(
    z.strictObject({
      outcome: z.enum(['approved', 'rejected']).describe('Outcome of the review.'),
      reason: text(500, 1).optional().describe('Reason for the rejection.'),
    }),
    rule(when(isGiven('reason'), isEqual('outcome', 'rejected')), {
      field: 'reason',
      message: 'is allowed only with the outcome rejected',
    }),
  ).meta({ example: { outcome: 'approved' } }),
})

export const suspendAgent = operation({
  ...onAgent,
  id: 'agents.suspend',
  summary: 'Suspend an approved agent on all carriers',
  call: 'POST /_sandbox/agents/{id}/suspend',
})

export const reinstateAgent = operation({
  ...onAgent,
  id: 'agents.reinstate',
  summary: 'End the suspension of an agent',
  call: 'POST /_sandbox/agents/{id}/reinstate',
})

export const setLaunch = operation({
  ...onAgent,
  id: 'agents.setLaunch',
  summary: 'Set the launch status of an approved agent on a carrier',
  call: 'PATCH /_sandbox/agents/{id}/launch',
  body: withRules(
    z.strictObject({
      carrier: CarrierName.describe('Name of the carrier.'),
      status: LaunchStatus.describe(
        'New launch status. With PENDING the carrier decides again, as the world file defines.',
      ),
      rejection_reason: text(500, 1).optional().describe('Reason for the rejection by the carrier.'),
    }),
    rule(when(isGiven('rejection_reason'), isEqual('status', 'REJECTED')), {
      field: 'rejection_reason',
      message: 'is allowed only with the status REJECTED',
    }),
  ).meta({ example: { carrier: 'nordfunk', status: 'SUSPENDED' } }),
  output: launchAgent.output,
})
