import { addressFault } from '../words/address-fault.ts'
import { brokenField } from '../words/broken-fields.ts'
import { toEmail } from '../words/email-address.ts'
import { isPhone } from '../words/phone-number.ts'

/** Refuses a phone number in another form, which no message would ever go to. */
export function requirePhone(phone: string): string {
  if (typeof phone === 'string' && isPhone(phone)) return phone
  throw brokenField('phone', 'invalid_phone', addressFault(String(phone)))
}

export function requireEmail(address: string): string {
  if (typeof address === 'string' && toEmail(address) !== undefined) return address
  throw brokenField('address', 'invalid_email', 'must be an email address such as ada@example.com')
}
