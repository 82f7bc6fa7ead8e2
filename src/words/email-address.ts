/** Domains ignore case; the part before the @ is kept as written. */
export const withLowerDomain = (address: string) => {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

const ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
/** RFC 5322 without quotes and comments, and with a dot in the host. The pattern works in every language. */
export const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+[a-zA-Z]{2,63}$`)

export const MAX_EMAIL_LENGTH = 254

/** The normal form of an email address; undefined for another text. */
export const toEmail = (text: string): string | undefined =>
  text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) ? withLowerDomain(text) : undefined
