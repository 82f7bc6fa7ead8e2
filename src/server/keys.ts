import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { isFileName } from '../words/file-name.ts'
import { problem } from '../words/problem.ts'

/** The scheme ignores case; the key does not. */
const KEY = /^[Bb][Ee][Aa][Rr][Ee][Rr] +sk_sandbox_([^ ]+)$/

/** The namespace that a Bearer key names (interface §5). */
export function namespaceOf(authorization: string | undefined): string {
  if (authorization === undefined)
    throw problem('unauthorized', 'The API key is missing. Send "Authorization: Bearer sk_sandbox_default".')
  if (/^sk_sandbox_/.test(authorization))
    throw problem('unauthorized', 'The scheme is missing. Send "Authorization: Bearer sk_sandbox_<namespace>".')
  const match = KEY.exec(authorization)
  if (!match || !isFileName(match[1]!))
    throw problem(
      'unauthorized',
      'This is not a key of the sandbox. Keys have the form sk_sandbox_<namespace> with 1 to 64 of a-z, 0-9, - and _; device names of Windows (con, nul) are reserved.',
    )
  return match[1]!
}

/** The credential of a Bearer header; undefined without one. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : (/^bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '')

/** The control plane needs no key and defaults to the first namespace. */
export const controlNamespaceOf = (authorization: string | undefined): string =>
  authorization === undefined ? DEFAULT_NAMESPACE : namespaceOf(authorization)
