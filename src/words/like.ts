/** The LIKE pattern, with `~` as its escape, of texts that contain this one. */
export const containing = (text: string): string => `%${text.replace(/[~%_]/g, '~$&')}%`
