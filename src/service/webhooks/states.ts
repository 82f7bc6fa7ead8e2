import { type MachineState, machine } from '../../words/machine.ts'

/** A delivery of one event to one endpoint (choices, "Attempts" and "Order"). */
// biome-ignore format: a table is read by column
export const delivery = machine([
  // from        on         to           effects
  ['waiting',   'turn',    'pending',   'schedule attempt'],
  ['pending',   'retry',   'pending',   'schedule attempt'],
  // Only faults use these: a delayed attempt, and one that lets the next delivery pass.
  ['pending',   'delay',   'pending',   'schedule attempt'],
  ['pending',   'hold',    'held',      'schedule attempt', 'let pass'],
  ['held',      'turn',    'pending',   'cancel attempt', 'schedule attempt'],
  ['pending',   'deliver', 'delivered', 'give turn'],
  ['pending',   'give up', 'failed',    'give turn'],
  ['waiting',   'cancel',  'cancelled'],
  ['pending',   'cancel',  'cancelled', 'cancel attempt'],
  ['held',      'cancel',  'cancelled', 'cancel attempt'],
])

export type DeliveryStatus = MachineState<typeof delivery>
