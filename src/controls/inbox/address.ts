import { addressFault } from '../../words/address-fault.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { toEmail } from '../../words/email-address.ts'
import { isPhone } from '../../words/phone-number.ts'

/** The address in the form in which messages have it; anything else is refused. */
export function normalAddress(text: string): string {
  const address = isPhone(text) ? text : toEmail(text)
  if (address === undefined) throw brokenField('address', 'invalid_address', addressFault(text))
  return address
}
