/** A text of at most so many characters; an ellipsis stands for the rest. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
