/** The token for the control plane of a sandbox that other machines can reach. */

/** Not Authorization, which names the namespace. Lower case, as Node spells it. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** The file in the data folder that keeps the generated token. */
export const CONTROL_TOKEN_FILE = 'control-token'

/** The namespace of a token of a shared sandbox; undefined for the admin token and that of other sandboxes. */
export const namespaceOfControlToken = (token: string): string | undefined =>
  /^ct_([a-z0-9_-]{1,64})_[0-9a-f]{40}$/.exec(token)?.[1]

/** Long enough to resist guessing, and valid in a header. */
export const isControlToken = (text: string): boolean => /^[\x21-\x7e]{16,200}$/.test(text)
