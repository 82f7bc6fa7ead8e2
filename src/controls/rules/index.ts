import { z } from 'zod'
import { type Noun, route, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

/** Rules: which messages are matched, what becomes of them, and how often. */
export const noun: Noun = {
  routes: [
    route(contract.addRule, actions.add),
    route(contract.listRules, actions.list),
    route(contract.clearRules, actions.clear),
    route(contract.showRule, actions.show),
    route(contract.updateRule, actions.update),
    route(contract.removeRule, actions.remove),
  ],
  sections: [
    section(
      'rules',
      z
        .array(contract.RuleEntry)
        .max(contract.MAX_RULES)
        .describe('Rules that force the outcome of matching messages, in order.'),
      actions.loadRules,
      actions.dumpRules,
    ),
  ],
}
