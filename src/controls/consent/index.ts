import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { confirmLink, openLink } from './actions.ts'
import * as contract from './contract.ts'
import * as linkContract from './link.contract.ts'

export const noun: Noun = {
  routes: [
    ...routesOf(contract, actions),
    ...routesOf(linkContract, { open_link: openLink, confirm_link: confirmLink }),
  ],
}
