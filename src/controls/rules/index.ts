import { z } from 'zod'
import { type Noun, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { routes } from './routes.ts'

/** What the user decides about messages in advance: who is matched, what becomes of them, how often. */
export const noun: Noun = {
  routes,
  sections: [
    section(
      'rules',
      z.array(contract.RuleEntry).max(contract.MOST_RULES).describe('What becomes of messages that match, in order.'),
      actions.loadRules,
      actions.dumpRules,
    ),
  ],
}
