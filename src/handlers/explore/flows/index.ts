import type { Flow } from '../flow.ts'
import { campaignFlows } from './campaigns.ts'
import { consentFlows } from './consent.ts'
import { conversationFlows } from './conversations.ts'
import { emailFlows } from './email.ts'
import { messageFlows } from './messages.ts'

/** The default flows of the explorer. */
export const builtInFlows: readonly Flow[] = [
  ...messageFlows,
  ...consentFlows,
  ...emailFlows,
  ...conversationFlows,
  ...campaignFlows,
]
