import { type PageAction, pageAction } from '../api/page-action.ts'

/** Actions of a mailbox's owner. */

export const open = (address: string, id: string): PageAction =>
  pageAction(`mailboxes open ${address} --message ${id}`, 'mailboxes', 'open', address, { message_id: id })

export const click = (address: string, id: string, index: number): PageAction =>
  pageAction(`mailboxes click ${address} ${index} --message ${id}`, 'mailboxes', 'click', address, {
    message_id: id,
    index,
  })

export const bounce = (address: string, id: string, type: 'hard' | 'soft'): PageAction =>
  pageAction(`mailboxes bounce ${address} --type ${type} --message ${id}`, 'mailboxes', 'bounce', address, {
    message_id: id,
    bounce_type: type,
  })

export const complain = (address: string, id: string): PageAction =>
  pageAction(`mailboxes complain ${address} --message ${id}`, 'mailboxes', 'complain', address, { message_id: id })

export const unsubscribe = (address: string, id: string): PageAction =>
  pageAction(`mailboxes unsubscribe ${address} --message ${id}`, 'mailboxes', 'unsubscribe', address, {
    message_id: id,
  })

export const makeOrdinary = (address: string): PageAction =>
  pageAction(`mailboxes reset ${address}`, 'mailboxes', 'reset', address)

type Behaviour = 'opens' | 'clicks' | 'complains'

export const behave = (address: string, behaviour: Behaviour, value: boolean): PageAction =>
  pageAction(`mailboxes set ${address} --${value ? '' : 'no-'}${behaviour}`, 'mailboxes', 'set', address, {
    [behaviour]: value,
  })
