/** The token that the control plane of an opened sandbox demands. */

/** A header of its own, for Authorization names the namespace. As Node spells it. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** The file of a data folder that keeps the token made for it. */
export const CONTROL_TOKEN_FILE = 'control-token'

/** A token is long enough not to be guessed, and fit for a header. */
export const isControlToken = (text: string): boolean => /^[\x21-\x7e]{16,200}$/.test(text)
