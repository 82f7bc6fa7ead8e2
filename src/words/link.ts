/** The token of a link that works without a key, such as `suite-1.doi_Yk3…`; it names its namespace. */

const TOKEN = /^([a-z0-9_-]{1,64})\.(\w+)$/

export const linkToken = (namespace: string, secret: string): string => `${namespace}.${secret}`

export const namespaceOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1]

export const secretOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[2]

/** The namespace that the path of a link names. */
export const namespaceOfLink = (path: string): string | undefined =>
  path.startsWith(LINKS) ? namespaceOfToken(path.slice(LINKS.length)) : undefined

const LINKS = '/_sandbox/doi/'
