import { eventNames } from '../../service/events/catalogue.ts'
import { isAccepted } from '../post.ts'
import { type Check, judgeAnswers } from './check.ts'

/** A check for each event of the catalogue. */
export const eventChecks: readonly Check[] = eventNames.map((name) => ({
  name: `accepts-${name}`,
  group: 'events',
  claim: `Answers 2xx to ${name}`,
  why: 'The service repeats an event for a day until the answer is 2xx, and then counts it as failed.',
  remedy: 'Answer 2xx also to events that you do not need.',
  run: async (tools) => judgeAnswers(`a signed ${name}`, [await tools.post(tools.samples.event(name))], isAccepted),
}))
