import { type Noun, route } from '../../world/noun.ts'
import { confirm, confirmLink, openLink } from './actions.ts'
import { confirmConsent } from './contract.ts'
import { confirmDoiLink, openDoiLink } from './link.contract.ts'

export const noun: Noun = {
  routes: [route(confirmConsent, confirm), route(openDoiLink, openLink), route(confirmDoiLink, confirmLink)],
}
