import { type MachineEffect, type MachineTrigger, machine } from '../../words/machine.ts'

/** The one number of a key (interface §4.3: register, verify, then send). NONE is the absence of a number. */
// biome-ignore format: a table is read by column
export const registration = machine([
  // from        on          to          effects
  ['NONE',     'register', 'PENDING',  'send code'],
  ['PENDING',  'register', 'PENDING',  'send code'],
  ['VERIFIED', 'register', 'PENDING',  'send code'],
  ['PENDING',  'verify',   'VERIFIED', 'stamp verified'],
  // The right code again: the first answer may have been lost.
  ['VERIFIED', 'verify',   'VERIFIED'],
])

export type RegistrationTrigger = MachineTrigger<typeof registration>
export type RegistrationEffect = MachineEffect<typeof registration>
