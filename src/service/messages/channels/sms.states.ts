import { machine } from '../../../words/machine.ts'

/** A preview simulates SMS as RCS without read receipts. */
// biome-ignore format: a table is read by column
export const smsMessage = machine([
  // from         on          to            effects
  ['queued',     'dispatch', 'dispatched'],
  ['queued',     'expire',   'expired',    'release hold', 'emit'],
  ['queued',     'revoke',   'revoked',    'release hold', 'emit'],
  ['dispatched', 'deliver',  'delivered',  'charge hold',  'emit'],
  ['dispatched', 'fail',     'failed',     'release hold', 'emit'],
  ['dispatched', 'expire',   'expired',    'release hold', 'emit'],
])
