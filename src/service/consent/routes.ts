import { type Route, route } from '../../world/noun.ts'
import { confirm, list, openLink, record, revoke } from './actions.ts'
import { confirmConsent, listConsent, recordConsent, revokeConsent } from './contract.ts'
import { openDoiLink } from './link.contract.ts'

export const routes: readonly Route[] = [
  route(listConsent, list),
  route(recordConsent, record),
  route(revokeConsent, revoke),
  route(confirmConsent, confirm),
  route(openDoiLink, openLink),
]
