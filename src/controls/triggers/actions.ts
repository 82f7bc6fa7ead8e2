import { eventsAfter, lastSeq } from '../../service/events/log.ts'
import type { Action } from '../../world/noun.ts'
import { agentTriggers } from './agents.ts'
import { campaignTriggers } from './campaigns.ts'
import { consentTriggers } from './consent.ts'
import type { triggerEvent } from './contract.ts'
import { conversationTriggers } from './conversations.ts'
import { messageTriggers } from './messages.ts'
import type { TriggerAction } from './precondition.ts'
import { entryOf, type TriggerName } from './table.ts'

const triggerActions: Readonly<Record<TriggerName, TriggerAction>> = {
  ...messageTriggers,
  ...conversationTriggers,
  ...agentTriggers,
  ...consentTriggers,
  ...campaignTriggers,
}

export const trigger: Action<typeof triggerEvent> = (world, { body }) => {
  const before = lastSeq(world)
  const { answer = null, ...moved } = triggerActions[body.event](world, body)
  return {
    event: body.event,
    subject_type: entryOf(body.event).moves,
    ...moved,
    steps: moved.steps.map(({ trigger: on, from, to }) => ({ trigger: on, from, to })),
    at: world.timestamp(),
    events: eventsAfter(world, before).map(({ seq, id, event }) => ({ seq, id, event })),
    message_id: answer?.message_id ?? null,
    answer,
  }
}
