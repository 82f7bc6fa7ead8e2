import type { CONTACT_STATUSES } from '../../words/statuses.ts'
import { type PageAction, pageAction } from '../api/page-action.ts'

type Channel = 'RCS' | 'EMAIL' | 'SMS'
type Kind = 'MESSAGE' | 'NEWSLETTER'

export const grant = (contact: string, channel: Channel, kind: Kind): PageAction =>
  pageAction(
    `consent grant ${contact} --channel-type ${channel} --message-type ${kind} --source inspector`,
    'consent',
    'record',
    contact,
    { channel_type: channel, message_type: kind, status: 'GRANTED', source: 'inspector' },
  )

export const revokeConsent = (contact: string, record: string): PageAction =>
  pageAction(`consent revoke ${contact} ${record}`, 'consent', 'revoke', contact, record)

export const confirmConsent = (contact: string, record: string): PageAction =>
  pageAction(`consent confirm ${contact} ${record}`, 'consent', 'confirm', contact, record)

export const setStatus = (contact: string, status: (typeof CONTACT_STATUSES)[number]): PageAction =>
  pageAction(`contacts update ${contact} --status ${status}`, 'contacts', 'update', contact, { status })
