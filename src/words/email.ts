import { z } from 'zod'
import { EMAIL, MAX_EMAIL_LENGTH, withLowerDomain } from './email-address.ts'

/** An email address. Comparison ignores case. */
export const Email = z
  .email({ pattern: EMAIL, error: 'must be an email address, such as ada@example.com' })
  .max(MAX_EMAIL_LENGTH)
  .transform(withLowerDomain)
  .meta({ example: 'ada@example.com' })
