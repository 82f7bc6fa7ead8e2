import { hooked } from '../../world/hook.ts'
import type { Noun } from '../../world/noun.ts'
import { consentOfContact } from '../contacts/consent.ts'
import { consentRecordsOf } from './actions.ts'
import { consentSection } from './expiry.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'
import { dumpConsent, loadConsent } from './world-file.ts'

/** Consent of each contact, per channel type and message type (interface §2.2, §3.1, §4.1). */
export const noun: Noun = {
  tables,
  routes,
  hooks: [hooked(consentOfContact, { recordsOf: consentRecordsOf, load: loadConsent, dump: dumpConsent })],
  sections: [consentSection],
}
