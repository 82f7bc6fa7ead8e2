import type { Noun } from '../../world/noun.ts'
import { consentSection } from './expiry.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'

/** Consent of each contact, per channel type and message type (interface §2.2, §3.1, §4.1). */
export const noun: Noun = {
  tables,
  routes,
  sections: [consentSection],
}
