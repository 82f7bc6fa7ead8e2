/** The key of the local world. It is documented, so it may be shown. */
export const DEFAULT_API_KEY = 'sk_sandbox_default'

/** Hides a key or a token except for its prefix, and its end where it is long enough; the default key is shown whole. */
export function masked(key: string): string {
  if (key === DEFAULT_API_KEY) return key
  const [, kind = '', rest = ''] = /^((?:sk|pk)_[a-z]+_|ct_)?(.*)$/s.exec(key)!
  return `${kind}…${rest.length >= 16 ? rest.slice(-4) : ''}`
}
