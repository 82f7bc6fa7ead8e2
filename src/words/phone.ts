import { isPhone, PHONE_PATTERN, phoneFault } from './phone-number.ts'
import { checkedText } from './text.ts'

export const Phone = checkedText('invalid_phone', (text) => (isPhone(text) ? undefined : phoneFault(text))).meta({
  id: 'PhoneNumber',
  pattern: PHONE_PATTERN,
  example: '+491713920000',
  description: 'Phone number in international format: + and digits.',
})
