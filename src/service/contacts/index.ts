import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { importAll } from './import.ts'
import { tables } from './store.ts'
import { contactSection } from './world-file.ts'

/** The people and addresses that messages go to (interface §2.1, §4.6). */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, { ...actions, import: importAll }, { import: 'async' }),
  sections: [contactSection],
}
