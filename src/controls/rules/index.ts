import { z } from 'zod'
import { type Noun, routesOf, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { dumpRules, loadRules } from './actions.ts'
import * as contract from './contract.ts'

export const noun: Noun = {
  routes: routesOf(contract, actions),
  sections: [
    section(
      'rules',
      z
        .array(contract.RuleEntry)
        .max(contract.MAX_RULES)
        .describe('Rules that force the outcome of matching messages, in order.'),
      loadRules,
      dumpRules,
    ),
  ],
}
