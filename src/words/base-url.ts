import { redactSecrets } from './redact.ts'

/** Why an address cannot be a base URL. */
interface BaseUrlFault {
  fault: string
  hint?: string | undefined
}

/**
 * Reduces an address to its base URL, which ends before `/v1` and may hold the path of a gateway:
 * `https://example.com/messaging`.
 */
export function baseUrlOf(text: string): string | BaseUrlFault {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    const [begin = '', scheme = 'http'] = /^(?:(https?):?)?\/+/i.exec(text) ?? []
    const guess = `${scheme}://${text.slice(begin.length)}`
    return {
      fault: `must be an http or https address, not "${redactSecrets(text)}".`,
      hint: !text.includes('://') && URL.canParse(guess) ? `Did you mean ${redactSecrets(guess)}?` : undefined,
    }
  }
  const { origin, pathname, username, password, search, hash } = new URL(text)
  if (username || password) return { fault: 'must not hold a name or password; pass the API key on its own.' }
  if (search || hash) return { fault: `must end before "${redactSecrets(search || hash)}".` }
  // Users copy addresses with the version, which every path of the interface begins with.
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}
