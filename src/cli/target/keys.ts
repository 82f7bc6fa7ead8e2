import { DEFAULT_API_KEY } from '../../words/api-key.ts'

/** Hides a key or a token except for its prefix, and its end where it is long enough; the default key is shown whole. */
export function masked(key: string): string {
  if (key === DEFAULT_API_KEY) return key
  const [, kind = '', rest = ''] = /^((?:sk|pk)_[a-z]+_|ct_)?(.*)$/s.exec(key)!
  return `${kind}…${rest.length >= 16 ? rest.slice(-4) : ''}`
}
