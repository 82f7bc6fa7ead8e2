import { machine } from '../../../words/machine.ts'

/** Email has its own vocabulary of status (interface §3.2) and events (§6); a bounce releases the hold. A hard
 * bounce, a complaint and an unsubscription suppress the contact. Every opening and click is an event of its own. */
// biome-ignore format: a table is read by column
export const emailMessage = machine([
  // from         on          to            effects
  ['queued',     'dispatch', 'dispatched'],
  ['queued',     'expire',   'expired',    'release hold', 'emit'],
  ['queued',     'revoke',   'revoked',    'release hold', 'emit'],
  ['dispatched', 'deliver',  'delivered',  'charge hold',  'emit'],
  ['dispatched', 'bounce',   'bounced',    'release hold', 'emit', 'suppress'],
  ['dispatched', 'expire',   'expired',    'release hold', 'emit'],
  ['delivered',  'open',     'opened',     'emit'],
  ['delivered',  'click',    'clicked',    'emit'],
  ['opened',     'open',     'opened',     'emit'],
  ['opened',     'click',    'clicked',    'emit'],
  ['clicked',    'open',     'clicked',    'emit'],
  ['clicked',    'click',    'clicked',    'emit'],
  ['delivered',  'complain', 'delivered',  'emit', 'suppress'],
  ['opened',     'complain', 'opened',     'emit', 'suppress'],
  ['clicked',    'complain', 'clicked',    'emit', 'suppress'],
  ['delivered',  'unsubscribe', 'delivered', 'emit', 'suppress'],
  ['opened',     'unsubscribe', 'opened',    'emit', 'suppress'],
  ['clicked',    'unsubscribe', 'clicked',   'emit', 'suppress'],
])
