import { type MachineEffect, type MachineTrigger, machine } from '../../words/machine.ts'

/** Interface §3.1, row for row; its "existing record" is spelt out for each state. NONE is the absence of a record. */
// biome-ignore format: a table is read by column
export const consent = machine([
  // from      on         to         effects
  ['NONE',    'grant',   'GRANTED', 'stamp granted', 'drop doi', 'insert', 'emit created'],
  ['NONE',    'request', 'PENDING', 'start doi', 'insert', 'send confirmation', 'emit created'],
  ['PENDING', 'confirm', 'GRANTED', 'stamp granted', 'accept doi', 'update', 'emit updated'],
  ['GRANTED', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'update', 'emit updated'],
  ['PENDING', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'update', 'emit updated'],
  ['REVOKED', 'grant',   'GRANTED', 'stamp granted', 'drop doi', 'lift revocation', 'update', 'emit updated'],
  ['GRANTED', 'request', 'PENDING', 'start doi', 'update', 'send confirmation', 'emit updated'],
  ['PENDING', 'request', 'PENDING', 'start doi', 'update', 'send confirmation', 'emit updated'],
  ['REVOKED', 'request', 'PENDING', 'start doi', 'lift revocation', 'update', 'send confirmation', 'emit updated'],
  ['GRANTED', 'revoke',  'REVOKED', 'stamp revoked', 'update', 'emit updated'],
  ['PENDING', 'revoke',  'REVOKED', 'stamp revoked', 'update', 'emit updated'],
  ['REVOKED', 'revoke',  'REVOKED'],
])

export type ConsentTrigger = MachineTrigger<typeof consent>
export type ConsentEffect = MachineEffect<typeof consent>
