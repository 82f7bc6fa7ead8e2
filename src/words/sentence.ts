/** A text as a sentence: it ends with a full stop, unless it has an end already. */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`)

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** With a small letter at its beginning, as in the middle of a sentence. */
export const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
