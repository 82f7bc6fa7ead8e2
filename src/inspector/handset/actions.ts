import type { Answer } from '../api/client.ts'
import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

/** Actions of a phone's user, and settings of the phone. */

export type HandsetAnswer = Answer<'handsets', 'show'>

export const reply = (phone: string, agent_id: string, text: string): PageAction =>
  pageAction('handsets', 'reply', phone, { text, agent_id })

export const tap = (phone: string, message_id: string, index: number): PageAction =>
  pageAction('handsets', 'tap', phone, { index, message_id })

export type Switch = 'on' | 'rcs_capable' | 'read_receipts'

export const turn = (phone: string, what: Switch, value: boolean): PageAction =>
  what === 'on'
    ? withWords(`handsets set ${phone} --${value ? 'on' : 'off'}`, 'handsets', 'set', phone, { on: value })
    : pageAction('handsets', 'set', phone, { [what]: value })

export const answerWith = (phone: string, text: string): PageAction =>
  pageAction('handsets', 'set', phone, { replies: text === '' ? null : text })

export const resetHandset = (phone: string): PageAction => pageAction('handsets', 'reset', phone)
