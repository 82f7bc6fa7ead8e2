import { type Route, route } from '../../world/noun.ts'
import { list, record, revoke } from './actions.ts'
import { listConsent, recordConsent, revokeConsent } from './contract.ts'

export const routes: readonly Route[] = [
  route(listConsent, list),
  route(recordConsent, record),
  route(revokeConsent, revoke),
]
