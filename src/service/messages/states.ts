import type { Machine, MachineEffect, MachineState, MachineTrigger } from '../../words/machine.ts'
import type { emailMessage } from './channels/email.states.ts'
import type { rcsMessage } from './channels/rcs.states.ts'
import type { smsMessage } from './channels/sms.states.ts'

type AnyMachine = typeof rcsMessage | typeof emailMessage | typeof smsMessage
export type Trigger = MachineTrigger<AnyMachine>
export type Status = MachineState<AnyMachine>
export type Effect = MachineEffect<AnyMachine>

/** The common type of the state tables of all channels. */
export type MessageMachine = Machine<readonly [Status, Trigger, Status, ...Effect[]]>

/** The column that holds when a trigger first happened. The log object uses the same names. */
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
