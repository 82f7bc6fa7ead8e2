import { type Act, act, quoted } from '../api/act.ts'
import type { Answer } from '../api/client.ts'

/** What the user of a phone does, and what is set about the phone. */

export type Handset = Answer<'handsets', 'show'>

export const reply = (phone: string, agentId: string, text: string): Act =>
  act(`handsets reply ${phone} ${quoted(text)} --agent ${agentId}`, 'handsets', 'reply', phone, {
    agent_id: agentId,
    text,
  })

export const tap = (phone: string, messageId: string, index: number): Act =>
  act(`handsets tap ${phone} ${index} --message ${messageId}`, 'handsets', 'tap', phone, {
    message_id: messageId,
    index,
  })

type Switch = 'on' | 'rcs_capable' | 'read_receipts'

const SWITCHES: Record<Switch, readonly [yes: string, no: string]> = {
  on: ['--on', '--off'],
  rcs_capable: ['--rcs', '--no-rcs'],
  read_receipts: ['--read-receipts', '--no-read-receipts'],
}

export const turn = (phone: string, what: Switch, value: boolean): Act =>
  act(`handsets set ${phone} ${SWITCHES[what][value ? 0 : 1]}`, 'handsets', 'set', phone, { [what]: value })

export const answerWith = (phone: string, text: string): Act =>
  text === ''
    ? act(`handsets set ${phone} --unset reply`, 'handsets', 'set', phone, { replies: null })
    : act(`handsets set ${phone} --reply ${quoted(text)}`, 'handsets', 'set', phone, { replies: text })

export const makeOrdinary = (phone: string): Act => act(`handsets reset ${phone}`, 'handsets', 'reset', phone)
