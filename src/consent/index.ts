import { type Noun, route } from '../world/noun.ts'
import { confirm, list, openLink, record, revoke } from './actions.ts'
import { confirmConsent, listConsent, openDoiLink, recordConsent, revokeConsent } from './contract.ts'
import { consentSection } from './expiry.ts'
import { tables } from './store.ts'

/** Consent of each contact, per channel type and message type (interface §2.2, §3.1, §4.1). */
export const consent: Noun = {
  tables,
  routes: [
    route(listConsent, list),
    route(recordConsent, record),
    route(revokeConsent, revoke),
    route(confirmConsent, confirm),
    route(openDoiLink, openLink),
  ],
  sections: [consentSection],
}
