import { type Route, route } from '../../world/noun.ts'
import { confirm, confirmLink, list, openLink, record, revoke } from './actions.ts'
import { confirmConsent, listConsent, recordConsent, revokeConsent } from './contract.ts'
import { confirmDoiLink, openDoiLink } from './link.contract.ts'

export const routes: readonly Route[] = [
  route(listConsent, list),
  route(recordConsent, record),
  route(revokeConsent, revoke),
  route(confirmConsent, confirm),
  route(openDoiLink, openLink),
  route(confirmDoiLink, confirmLink),
]
