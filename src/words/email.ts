import { z } from 'zod'

/** The domain of an address is the same in any case; the part before the @ is kept as it was written. */
const withLowerDomain = (address: string) => {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

const ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
/** RFC 5322 without quotes and comments, at a host with a dot. Every language's patterns can say it. */
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+[a-zA-Z]{2,63}$`)

/** An email address. Addresses are compared without regard to case. */
export const Email = z
  .email({ pattern: EMAIL, error: 'must be an email address, such as ada@example.com' })
  .max(254)
  .transform(withLowerDomain)
  .meta({ example: 'ada@example.com' })

/** The normal form of an email address; undefined when it is none. */
export const toEmail = (text: string): string | undefined => Email.safeParse(text).data
