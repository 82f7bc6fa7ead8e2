import { z } from 'zod'
import { addressFault } from './address-fault.ts'
import { toEmail } from './email-address.ts'
import { AgentId } from './ids.ts'
import { isPhone } from './phone-number.ts'
import { checkedText } from './text.ts'

const isAddress = (text: string) => isPhone(text) || toEmail(text) !== undefined

const addressThat = (isOne: (text: string) => boolean) =>
  checkedText('invalid_address', (text) => (isOne(text) ? undefined : addressFault(text)), z.string().max(320)).meta({
    example: '+491713920000',
    minLength: 3,
  })

/** A recipient: a phone number in international format, or an email address. */
export const Address = addressThat(isAddress)

/** The recipient in the message log: an address, or an agent for inbound messages. */
export const AddressOrAgent = addressThat((text) => isAddress(text) || AgentId.safeParse(text).success)
