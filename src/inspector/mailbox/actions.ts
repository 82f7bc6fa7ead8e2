import type { Answer } from '../api/client.ts'
import { type PageAction, pageAction } from '../api/page-action.ts'

/** Actions of a mailbox's owner. */

export const open = (address: string, message_id: string): PageAction =>
  pageAction('mailboxes', 'open', address, { message_id })

export const click = (address: string, message_id: string, index: number): PageAction =>
  pageAction('mailboxes', 'click', address, { index, message_id })

export const bounce = (address: string, message_id: string, bounce_type: 'hard' | 'soft'): PageAction =>
  pageAction('mailboxes', 'bounce', address, { message_id, bounce_type })

export const complain = (address: string, message_id: string): PageAction =>
  pageAction('mailboxes', 'complain', address, { message_id })

export const unsubscribe = (address: string, message_id: string): PageAction =>
  pageAction('mailboxes', 'unsubscribe', address, { message_id })

export const resetMailbox = (address: string): PageAction => pageAction('mailboxes', 'reset', address)

type Behaviour = 'opens' | 'clicks' | 'complains'

export const behave = (address: string, behaviour: Behaviour, value: boolean): PageAction =>
  pageAction('mailboxes', 'set', address, { [behaviour]: value })

export type MailboxAnswer = Answer<'mailboxes', 'show'>

export const HABITS = [
  { title: 'Opens', field: 'opens' },
  { title: 'Clicks', field: 'clicks' },
  { title: 'Complains', field: 'complains' },
] as const
