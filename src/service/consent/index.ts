import { hooked } from '../../world/hook.ts'
import { type Noun, routesOf } from '../../world/noun.ts'
import { consentOfContact } from '../contacts/consent.ts'
import * as actions from './actions.ts'
import { consentRecordsOf } from './actions.ts'
import * as contract from './contract.ts'
import { tables } from './store.ts'
import { consentSection, dumpConsent, loadConsent, loadNewConsent } from './world-file.ts'

/** Consent of each contact, per channel type and message type (interface §2.2, §3.1, §4.1). */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions, { record: 'decidesFirst' }),
  hooks: [
    hooked(consentOfContact, {
      recordsOf: consentRecordsOf,
      load: loadConsent,
      loadNew: loadNewConsent,
      dump: dumpConsent,
    }),
  ],
  sections: [consentSection],
}
