import { type MachineEffect, type MachineTrigger, machine } from '../../words/machine.ts'

/** Interface §3.1, row for row; its "existing record" is spelt out for each state. NONE is the absence of a record. */
// biome-ignore format: a table is read by column
export const consent = machine([
  // from      on         to         effects
  ['NONE',    'grant',   'GRANTED', 'stamp granted', 'drop doi', 'emit created'],
  ['NONE',    'request', 'PENDING', 'start doi', 'send confirmation', 'emit created'],
  ['PENDING', 'confirm', 'GRANTED', 'stamp granted', 'accept doi', 'emit updated'],
  ['GRANTED', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'emit updated'],
  ['PENDING', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'emit updated'],
  ['REVOKED', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'lift revocation', 'emit updated'],
  ['GRANTED', 'request', 'PENDING', 'start doi', 'send confirmation', 'emit updated'],
  ['PENDING', 'request', 'PENDING', 'start doi', 'send confirmation', 'emit updated'],
  ['REVOKED', 'request', 'PENDING', 'start doi', 'lift revocation', 'send confirmation', 'emit updated'],
  ['GRANTED', 'revoke',  'REVOKED', 'stamp revoked', 'emit updated'],
  ['PENDING', 'revoke',  'REVOKED', 'stamp revoked', 'emit updated'],
  ['REVOKED', 'revoke',  'REVOKED'],
])

export type ConsentTrigger = MachineTrigger<typeof consent>
export type ConsentEffect = MachineEffect<typeof consent>
