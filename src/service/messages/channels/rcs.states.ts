import { machine } from '../../../words/machine.ts'

/** Interface §3.2, row for row. A message starts as `queued`; before the send there is no row. */
// biome-ignore format: a table is read by column
export const rcsMessage = machine([
  // from         on          to            effects
  ['queued',     'dispatch', 'dispatched'],
  ['queued',     'fail',     'failed',     'release hold', 'emit'],
  ['queued',     'expire',   'expired',    'release hold', 'emit'],
  ['queued',     'revoke',   'revoked',    'release hold', 'emit'],
  ['dispatched', 'deliver',  'delivered',  'charge hold',  'emit'],
  ['dispatched', 'fail',     'failed',     'release hold', 'emit'],
  ['dispatched', 'expire',   'expired',    'release hold', 'emit'],
  ['delivered',  'read',     'read',       'emit'],
])
