import { z } from 'zod'
import { isPhone, PHONE_PATTERN, phoneFault } from './phone-number.ts'

/** A phone number in international format. */
export const Phone = z
  .string()
  .check(({ value, issues }) => {
    if (isPhone(value)) return
    issues.push({ code: 'custom', input: value, message: phoneFault(value), params: { code: 'invalid_phone' } })
  })
  .meta({
    id: 'PhoneNumber',
    pattern: PHONE_PATTERN,
    example: '+491713920000',
    description: 'Phone number in international format: + and digits.',
  })
