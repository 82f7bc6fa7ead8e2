/** Allows a page of the inspector to load and run what this server has, and nothing else. */
const OWN = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

type Policy = Readonly<Record<string, string>>

const POLICIES: Readonly<Record<string, Policy>> = {
  'index.html': { ...OWN, 'frame-src': "'self'", 'frame-ancestors': "'none'" },
  // Emails have inline styles. Their frame runs no scripts and cannot navigate.
  'mail.html': { ...OWN, 'style-src': "'self' 'unsafe-inline'", 'frame-src': "'none'", 'frame-ancestors': "'self'" },
}

/** Returns the Content-Security-Policy of a page; undefined for other files. */
export function policyOf(file: string, allowsMedia: boolean): string | undefined {
  const policy = POLICIES[file]
  if (!policy) return undefined
  const media: Policy = allowsMedia ? { 'img-src': "'self' data: http: https:", 'media-src': 'http: https:' } : {}
  return Object.entries({ ...policy, ...media })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
