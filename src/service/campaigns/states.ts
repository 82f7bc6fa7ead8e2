import { type MachineEffect, type MachineTrigger, machine } from '../../words/machine.ts'

/**
 * Interface §3.4, row for row, and the transitions it does not show. NONE is a campaign that is not defined yet.
 * While a run is open nothing but pause, its causes, resume and its end can happen.
 */
// biome-ignore format: a table is read by column
export const campaign = machine([
  // from                on                    to                   effects
  ['NONE',              'define',             'DRAFT',             'keep definition'],
  ['DRAFT',             'define',             'DRAFT',             'keep definition'],
  ['SCHEDULED',         'define',             'DRAFT',             'drop date', 'keep definition'],
  ['COMPLETED',         'define',             'DRAFT',             'keep definition'],
  ['COMPLETED_PARTIAL', 'define',             'DRAFT',             'keep definition'],
  ['NONE',              'schedule',           'SCHEDULED',         'keep definition', 'set date'],
  ['DRAFT',             'schedule',           'SCHEDULED',         'keep definition', 'set date'],
  ['SCHEDULED',         'schedule',           'SCHEDULED',         'drop date', 'keep definition', 'set date'],
  ['COMPLETED',         'schedule',           'SCHEDULED',         'keep definition', 'set date'],
  ['COMPLETED_PARTIAL', 'schedule',           'SCHEDULED',         'keep definition', 'set date'],
  ['DRAFT',             'start',              'RUNNING',           'forget errors', 'emit started', 'go on'],
  ['SCHEDULED',         'start',              'RUNNING',           'forget errors', 'emit started', 'go on'],
  ['COMPLETED',         'start',              'RUNNING',           'forget errors', 'emit started', 'go on'],
  ['COMPLETED_PARTIAL', 'start',              'RUNNING',           'forget errors', 'emit started', 'go on'],
  ['RUNNING',           'pause',              'PAUSED',            'halt', 'emit paused'],
  ['RUNNING',           'break',              'PAUSED_ERROR',      'halt', 'emit paused'],
  ['RUNNING',           'exhaust',            'PAUSED_BALANCE',    'halt', 'emit paused'],
  ['PAUSED',            'resume',             'RUNNING',           'forget errors', 'emit resumed', 'go on'],
  ['PAUSED_ERROR',      'resume',             'RUNNING',           'forget errors', 'emit resumed', 'go on'],
  ['PAUSED_BALANCE',    'resume',             'RUNNING',           'forget errors', 'emit resumed', 'go on'],
  ['RUNNING',           'finish',             'COMPLETED',         'close run', 'emit completed'],
  ['RUNNING',           'finish with losses', 'COMPLETED_PARTIAL', 'close run', 'emit completed'],
])

export type CampaignStateTrigger = MachineTrigger<typeof campaign>
export type CampaignEffect = MachineEffect<typeof campaign>
