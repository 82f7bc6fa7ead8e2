import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { z } from 'zod'

/** E.164 of a phone number in international format, `+49 171 3920000` → `+491713920000`; undefined when it is none. */
export function toE164(text: string): string | undefined {
  if (!text.trim().startsWith('+')) return undefined
  const parsed = parsePhoneNumberFromString(text)
  return parsed?.isPossible() ? parsed.number : undefined
}

/** A phone number in international format; the parsed value is its E.164 form. */
export const Phone = z
  .string()
  .max(40)
  .transform((text, context) => {
    const number = toE164(text)
    if (number) return number
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'must be a phone number in international format, such as +491713920000',
      params: { code: 'invalid_phone' },
    })
    return z.NEVER
  })
  .meta({ example: '+491713920000' })
