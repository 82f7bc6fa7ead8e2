import { addressFault } from '../../words/address.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { toEmail } from '../../words/email.ts'
import { isPhone } from '../../words/phone.ts'

/** The address in the form in which messages have it; anything else is refused. */
export function normalAddress(text: string): string {
  const address = isPhone(text) ? text : toEmail(text)
  if (address === undefined) throw brokenField('address', 'invalid_address', addressFault(text))
  return address
}
