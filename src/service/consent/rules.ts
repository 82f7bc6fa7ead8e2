import type { ChannelType } from '../../words/vocabulary.ts'

/** The contact's address on a channel. Addresses given through the API count as verified (choices, "Addresses"). */
export const addressOn = (contact: { email: string | null; phone: string | null }, channel: ChannelType) =>
  channel === 'EMAIL' ? contact.email : contact.phone
