import type { Answer } from '../api/client.ts'
import { type PageAction, pageAction, quoted } from '../api/page-action.ts'

/** Actions of a phone's user, and settings of the phone. */

export type HandsetAnswer = Answer<'handsets', 'show'>

export const reply = (phone: string, agentId: string, text: string): PageAction =>
  pageAction(`handsets reply ${phone} ${quoted(text)} --agent ${agentId}`, 'handsets', 'reply', phone, {
    agent_id: agentId,
    text,
  })

export const tap = (phone: string, messageId: string, index: number): PageAction =>
  pageAction(`handsets tap ${phone} ${index} --message ${messageId}`, 'handsets', 'tap', phone, {
    message_id: messageId,
    index,
  })

type Switch = 'on' | 'rcs_capable' | 'read_receipts'

const SWITCHES: Record<Switch, readonly [yes: string, no: string]> = {
  on: ['--on', '--off'],
  rcs_capable: ['--rcs', '--no-rcs'],
  read_receipts: ['--read-receipts', '--no-read-receipts'],
}

export const turn = (phone: string, what: Switch, value: boolean): PageAction =>
  pageAction(`handsets set ${phone} ${SWITCHES[what][value ? 0 : 1]}`, 'handsets', 'set', phone, { [what]: value })

export const answerWith = (phone: string, text: string): PageAction =>
  text === ''
    ? pageAction(`handsets set ${phone} --unset reply`, 'handsets', 'set', phone, { replies: null })
    : pageAction(`handsets set ${phone} --reply ${quoted(text)}`, 'handsets', 'set', phone, { replies: text })

export const makeOrdinary = (phone: string): PageAction =>
  pageAction(`handsets reset ${phone}`, 'handsets', 'reset', phone)
