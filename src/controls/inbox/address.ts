import { addressFault } from '../../words/address-fault.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { toEmail } from '../../words/email-address.ts'
import { isPhone } from '../../words/phone-number.ts'

/** Normalizes an address to the form that messages contain; refuses anything else. */
export function normalAddress(text: string): string {
  const address = isPhone(text) ? text : toEmail(text)
  if (address === undefined) throw brokenField('address', 'invalid_address', addressFault(text))
  return address
}
