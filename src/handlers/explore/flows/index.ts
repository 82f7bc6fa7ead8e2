import { problem } from '../../../words/problem.ts'
import { suggest } from '../../../words/suggest.ts'
import type { Flow } from '../flow.ts'
import { agentFlows } from './agents.ts'
import { campaignFlows } from './campaigns.ts'
import { consentFlows } from './consent.ts'
import { conversationFlows } from './conversations.ts'
import { emailFlows } from './email.ts'
import { messageFlows } from './messages.ts'
import { timeFlows } from './times.ts'

/** The default flows of the explorer. */
export const builtInFlows: readonly Flow[] = [
  ...messageFlows,
  ...consentFlows,
  ...emailFlows,
  ...conversationFlows,
  ...campaignFlows,
  ...agentFlows,
  // The clock of the sandbox stays there.
  ...timeFlows,
]

export function requireFlow(name: string, flows: readonly Flow[]): Flow {
  const flow = flows.find((candidate) => candidate.name === name)
  if (flow) return flow
  const names = flows.map((candidate) => candidate.name)
  throw problem(
    'validation_error',
    `Unknown flow "${name}"${suggest(name, names) || `; the flows are ${names.join(', ')}`}.`,
  )
}
