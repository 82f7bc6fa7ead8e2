import { hooked } from '../../world/hook.ts'
import { type Noun, route } from '../../world/noun.ts'
import { consentOfContact } from '../contacts/consent.ts'
import { consentRecordsOf, list, record, revoke } from './actions.ts'
import { listConsent, recordConsent, revokeConsent } from './contract.ts'
import { tables } from './store.ts'
import { consentSection, dumpConsent, loadConsent } from './world-file.ts'

/** Consent of each contact, per channel type and message type (interface §2.2, §3.1, §4.1). */
export const noun: Noun = {
  tables,
  routes: [route(listConsent, list), route(recordConsent, record), route(revokeConsent, revoke)],
  hooks: [hooked(consentOfContact, { recordsOf: consentRecordsOf, load: loadConsent, dump: dumpConsent })],
  sections: [consentSection],
}
