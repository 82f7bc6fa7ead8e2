import {
  type Machine,
  type MachineEffect,
  type MachineState,
  type MachineTrigger,
  machine,
} from '../../words/machine.ts'
import type { ChannelType } from '../../words/vocabulary.ts'

/** Interface §3.2, row for row. A message that never was has no state; sending it makes it `queued`. */
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

/** Email has its own vocabulary of status (interface §3.2) and events (§6); a bounce gives the hold back. A hard
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

/** SMS, where a preview simulates it: as RCS, without read receipts. */
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

type AnyMachine = typeof rcsMessage | typeof emailMessage | typeof smsMessage
export type Trigger = MachineTrigger<AnyMachine>
export type Status = MachineState<AnyMachine>
export type Effect = MachineEffect<AnyMachine>

/** The state table of each channel. */
export const machines: Readonly<Record<ChannelType, Machine<readonly [Status, Trigger, Status, ...Effect[]]>>> = {
  RCS: rcsMessage,
  EMAIL: emailMessage,
  SMS: smsMessage,
}

/** When each trigger first happened stands in the column that the log object names so, where it names one. */
export const stampOf = {
  dispatch: 'sent_at',
  deliver: 'delivered_at',
  read: 'read_at',
  fail: 'failed_at',
  expire: 'expired_at',
  revoke: 'revoked_at',
  bounce: 'bounced_at',
  open: 'opened_at',
  click: 'clicked_at',
  complain: 'complained_at',
  unsubscribe: 'unsubscribed_at',
} as const satisfies Record<Trigger, string>
export type Stamp = (typeof stampOf)[Trigger]
