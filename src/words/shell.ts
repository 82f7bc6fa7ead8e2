/** A text in quotes for a POSIX shell, which interprets nothing between them but the quote itself. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A word for a POSIX shell, in quotes where it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))

/** A path for the shells of every system, in quotes where it needs them; cmd knows double quotes only. */
export const shellPath = (path: string): string => {
  if (/^[\w./\\:@+~-]+$/.test(path)) return path
  return /[$`"!]/.test(path) ? shellQuoted(path) : `"${path}"`
}
