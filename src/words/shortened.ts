/** A text of this number of characters at most; what is cut off becomes "…". */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
