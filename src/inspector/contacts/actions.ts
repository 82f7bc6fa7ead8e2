import type { CONTACT_STATUSES } from '../../words/statuses.ts'
import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

type Channel = 'RCS' | 'EMAIL' | 'SMS'
type Kind = 'MESSAGE' | 'NEWSLETTER'

export const grant = (contact: string, channel_type: Channel, message_type: Kind): PageAction =>
  withWords(
    `consent grant ${contact} --channel-type ${channel_type} --message-type ${message_type} --source inspector`,
    'consent',
    'record',
    contact,
    { channel_type, message_type, status: 'GRANTED', source: 'inspector' },
  )

export const revokeConsent = (contact: string, record: string): PageAction =>
  pageAction('consent', 'revoke', contact, record)

export const confirmConsent = (contact: string, record: string): PageAction =>
  pageAction('consent', 'confirm', contact, record)

export const setStatus = (contact: string, status: (typeof CONTACT_STATUSES)[number]): PageAction =>
  pageAction('contacts', 'update', contact, { status })

export const removeContact = (contact: string): PageAction => pageAction('contacts', 'delete', contact)
