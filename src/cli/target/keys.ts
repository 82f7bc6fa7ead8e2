/** The key of the local world that needs no set-up. It is documented, so it is no secret. */
export const DEFAULT_API_KEY = 'sk_sandbox_default'

/** Hides a key except for its prefix, and its end where it is long enough; the default key is shown whole. */
export function masked(key: string): string {
  if (key === DEFAULT_API_KEY) return key
  const [, kind = '', rest = ''] = /^((?:sk|pk)_[a-z]+_)?(.*)$/s.exec(key)!
  return `${kind}…${rest.length >= 16 ? rest.slice(-4) : ''}`
}
