/** Shortens a text to a number of characters at most; an ellipsis replaces the rest. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
