import { type MachineEffect, type MachineTrigger, machine } from '../../words/machine.ts'

/** Interface §3.5 names APPROVED alone; the rest is a choice. An edit does not change the state. */
// biome-ignore format: a table is read by column
export const agent = machine([
  // from              on           to                effects
  ['DRAFT',          'edit',      'DRAFT'],
  ['DRAFT',          'submit',    'PENDING_REVIEW', 'stamp submitted', 'schedule review'],
  ['PENDING_REVIEW', 'approve',   'APPROVED',       'cancel timer', 'stamp approved', 'open channel', 'emit approved', 'ask carriers'],
  ['PENDING_REVIEW', 'reject',    'REJECTED',       'cancel timer', 'stamp rejected', 'emit rejected'],
  ['REJECTED',       'edit',      'REJECTED'],
  ['REJECTED',       'submit',    'PENDING_REVIEW', 'clear rejection', 'stamp submitted', 'schedule review'],
  ['APPROVED',       'suspend',   'SUSPENDED',      'cancel timer', 'suspend launches'],
  ['SUSPENDED',      'reinstate', 'APPROVED',       'resume launches'],
])

export type AgentTrigger = MachineTrigger<typeof agent>
export type AgentEffect = MachineEffect<typeof agent>
