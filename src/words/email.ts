import { z } from 'zod'

/** Domains ignore case; the part before the @ is kept as written. */
const withLowerDomain = (address: string) => {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

const ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
/** RFC 5322 without quotes and comments, and with a dot in the host. The pattern works in every language. */
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+[a-zA-Z]{2,63}$`)

/** An email address. Comparison ignores case. */
export const Email = z
  .email({ pattern: EMAIL, error: 'must be an email address, such as ada@example.com' })
  .max(254)
  .transform(withLowerDomain)
  .meta({ example: 'ada@example.com' })

/** The normal form of an email address; undefined for another text. */
export const toEmail = (text: string): string | undefined => Email.safeParse(text).data
