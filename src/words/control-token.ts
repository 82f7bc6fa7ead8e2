/** The token for the control plane of a sandbox that other machines can reach. */

/** Not Authorization, which names the namespace. Lower case, as Node spells it. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** The file in the data folder that keeps the generated token. */
export const CONTROL_TOKEN_FILE = 'control-token'

/** Long enough to resist guessing, and valid in a header. */
export const isControlToken = (text: string): boolean => /^[\x21-\x7e]{16,200}$/.test(text)
