import { z } from 'zod'
import { toEmail } from './email.ts'
import { AgentId } from './ids.ts'
import { isPhone, phoneFault } from './phone.ts'

export const addressFault = (text: string): string =>
  text.includes('@') ? 'must be an email address, such as ada@example.com, or a phone number' : phoneFault(text)

const isAddress = (text: string) => isPhone(text) || toEmail(text) !== undefined

const addressThat = (isOne: (text: string) => boolean) =>
  z
    .string()
    .max(320)
    .check(({ value, issues }) => {
      if (isOne(value)) return
      issues.push({ code: 'custom', input: value, message: addressFault(value), params: { code: 'invalid_address' } })
    })
    .meta({ example: '+491713920000', minLength: 3 })

/** A recipient: a phone number in international format, or an email address. */
export const Address = addressThat(isAddress)

/** The recipient in the message log: an address, or an agent for inbound messages. */
export const AddressOrAgent = addressThat((text) => isAddress(text) || AgentId.safeParse(text).success)
