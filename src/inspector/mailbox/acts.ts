import { type Act, act } from '../api/act.ts'

/** What the owner of a mailbox does. */

export const open = (address: string, id: string): Act =>
  act(`mailboxes open ${address} --message ${id}`, 'mailboxes', 'open', address, { message_id: id })

export const click = (address: string, id: string, index: number): Act =>
  act(`mailboxes click ${address} ${index} --message ${id}`, 'mailboxes', 'click', address, { message_id: id, index })

export const bounce = (address: string, id: string, type: 'hard' | 'soft'): Act =>
  act(`mailboxes bounce ${address} --type ${type} --message ${id}`, 'mailboxes', 'bounce', address, {
    message_id: id,
    bounce_type: type,
  })

export const complain = (address: string, id: string): Act =>
  act(`mailboxes complain ${address} --message ${id}`, 'mailboxes', 'complain', address, { message_id: id })

export const unsubscribe = (address: string, id: string): Act =>
  act(`mailboxes unsubscribe ${address} --message ${id}`, 'mailboxes', 'unsubscribe', address, { message_id: id })

export const makeOrdinary = (address: string): Act => act(`mailboxes reset ${address}`, 'mailboxes', 'reset', address)

type Habit = 'opens' | 'clicks' | 'complains'

export const behave = (address: string, habit: Habit, value: boolean): Act =>
  act(`mailboxes set ${address} --${value ? '' : 'no-'}${habit}`, 'mailboxes', 'set', address, { [habit]: value })
