import { eventNames } from '../../service/events/catalogue.ts'
import { isAccepted } from '../post.ts'
import { type Check, judgeAnswers } from './check.ts'

/** A check for each event of the catalogue. */
export const eventChecks: readonly Check[] = eventNames.map((name) => ({
  name: `accepts-${name}`,
  group: 'events',
  claim: `Answers 2xx to ${name}`,
  why: 'What is not answered 2xx is sent again for a day, and counts as failed then.',
  remedy: 'Answer 2xx also to events that you have no use for.',
  run: async (tools) => judgeAnswers(`a signed ${name}`, [await tools.post(tools.samples.event(name))], isAccepted),
}))
