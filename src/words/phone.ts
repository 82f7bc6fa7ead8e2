import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { z } from 'zod'

/** E.164 of a phone number in international format, `+49 171 3920000` → `+491713920000`; undefined when it is none. */
export function toE164(text: string): string | undefined {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const number = parse(text)
  if (number === undefined) return undefined
  if (parsed.size >= MOST_KEPT) parsed.clear()
  parsed.set(text, number)
  return number
}

// Parsing is a tenth of the work of a send, and the same numbers are sent to again and again.
const parsed = new Map<string, string>()
const MOST_KEPT = 5_000

function parse(text: string): string | undefined {
  if (!text.trim().startsWith('+')) return undefined
  // The whole text must be the number: none is looked for inside, no letters, no extension.
  const found = parsePhoneNumberFromString(text.trim(), { extract: false })
  return found?.isPossible() && !found.ext ? found.number : undefined
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
  .meta({ id: 'PhoneNumber', example: '+491713920000' })
