import { eventsAfter, lastSeq } from '../../service/events/log.ts'
import type { Action } from '../../world/noun.ts'
import { agentPulls } from './agents.ts'
import { campaignPulls } from './campaigns.ts'
import { consentPulls } from './consent.ts'
import type { triggerEvent } from './contract.ts'
import { conversationPulls } from './conversations.ts'
import { messagePulls } from './messages.ts'
import type { Pull } from './precondition.ts'
import { entryOf, type TriggerName } from './table.ts'

/** The function that pulls each trigger; every noun brings its own. */
const pulls: Readonly<Record<TriggerName, Pull>> = {
  ...messagePulls,
  ...conversationPulls,
  ...agentPulls,
  ...consentPulls,
  ...campaignPulls,
}

export const trigger: Action<typeof triggerEvent> = (world, { body }) => {
  const before = lastSeq(world)
  const { message_id = null, ...moved } = pulls[body.event](world, body)
  return {
    event: body.event,
    subject_type: entryOf(body.event).moves,
    ...moved,
    steps: moved.steps.map(({ trigger: on, from, to }) => ({ trigger: on, from, to })),
    at: world.timestamp(),
    events: eventsAfter(world, before).map(({ seq, id, event }) => ({ seq, id, event })),
    message_id,
  }
}
