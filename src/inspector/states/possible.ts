import { pathTo, statesBefore } from '../../controls/triggers/rules.ts'
import { entryOf, MESSAGE_TRIGGERS, PROGRESS, type TriggerName, triggerNames } from '../../controls/triggers/table.ts'
import { emailMessage } from '../../service/messages/channels/email.states.ts'
import { rcsMessage } from '../../service/messages/channels/rcs.states.ts'
import { smsMessage } from '../../service/messages/channels/sms.states.ts'
import type { Machine, Row } from '../../words/machine.ts'
import type { MessageAnswer } from '../api/answers.ts'

/** Possible and impossible events of a message by the interface's state tables, with reasons. */
export interface Possibility {
  event: TriggerName
  does: string
  /** Undefined if it is possible. */
  because: string | undefined
}

const TABLES = { RCS: rcsMessage, EMAIL: emailMessage, SMS: smsMessage } as unknown as Record<string, Machine<Row>>

const ONCE = ['email.complained', 'email.unsubscribed']

type Facts = Pick<MessageAnswer, 'channel' | 'status' | 'direction'> & { readonly happened: readonly string[] }

export function possibilitiesOf({ channel, status, direction, happened }: Facts): Possibility[] {
  if (direction === 'INBOUND') return []
  const table = TABLES[channel]!
  return triggerNames
    .filter((event) => event in MESSAGE_TRIGGERS && entryOf(event).channels?.includes(channel))
    .map((event) => ({ event, does: entryOf(event).does, because: whyNot(table, event, status, happened) }))
}

function whyNot(table: Machine<Row>, event: TriggerName, status: string, happened: readonly string[]) {
  const trigger = MESSAGE_TRIGGERS[event as keyof typeof MESSAGE_TRIGGERS]
  if (ONCE.includes(event) && happened.includes(event)) return 'This event has already happened and happens only once.'
  if (pathTo(table, status, trigger, PROGRESS)) return undefined
  const before = statesBefore(table, trigger, PROGRESS)
  return `The message is ${status}. The event needs status ${before.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`
}

/** The reason why a message cannot be revoked; undefined if it can. */
export function whyNotRevoked({ channel, status, direction }: Omit<Facts, 'happened'>): string | undefined {
  if (direction === 'INBOUND') return 'Messages from users cannot be revoked.'
  return TABLES[channel]!.next(status, 'revoke')
    ? undefined
    : `The message is ${status}. Only a queued message can be revoked.`
}
