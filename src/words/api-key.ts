/**
 * A key of a sandbox: `sk_sandbox_<namespace>`, or `sk_sandbox_<namespace>_<secret>` of a shared one. A namespace may be
 * named like both together; then its end counts as a secret, because showing one does more harm.
 */
const KEY = /^sk_sandbox_([a-z0-9_-]{1,64}?)(_[0-9a-f]{40})?$/

/** The key of a namespace, which anybody can guess; a shared sandbox requires a secret at its end. */
export const apiKeyOf = (namespace: string): string => `sk_sandbox_${namespace}`

/**
 * The namespace that always exists: calls without a key mean it. In a shared sandbox it is that of the administrator, and
 * has no credentials.
 */
export const DEFAULT_NAMESPACE = 'default'

/** Its key, which is documented, so it may be shown. */
export const DEFAULT_API_KEY = apiKeyOf(DEFAULT_NAMESPACE)

/** A key of a sandbox, with whatever namespace. */
export const isSandboxKey = (key: string): boolean => key.startsWith(apiKeyOf(''))

/** The namespace that a key names, without the secret; undefined for other keys. */
export const namespaceOfApiKey = (key: string): string | undefined => KEY.exec(key)?.[1]

/** True for a key that can be guessed, so that it may be shown. */
export const isPublicKey = (key: string): boolean => {
  const match = KEY.exec(key)
  return match !== null && match[2] === undefined
}
