import { phoneFault } from './phone-number.ts'

export const addressFault = (text: string): string =>
  text.includes('@') ? 'must be an email address, such as ada@example.com, or a phone number' : phoneFault(text)
