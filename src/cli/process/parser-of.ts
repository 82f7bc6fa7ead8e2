import { InvalidArgumentError } from 'commander'

/** Parses the text of an option or argument. `read` returns undefined for a text that is refused with this sentence. */
export const parserOf =
  <T>(read: (text: string) => T | undefined, refusal: string) =>
  (text: string): T => {
    const value = read(text)
    if (value === undefined) throw new InvalidArgumentError(refusal)
    return value
  }

/** The same for a text, which stays unchanged. */
export const textThat = (isValid: (text: string) => boolean, refusal: string) =>
  parserOf((text) => (isValid(text) ? text : undefined), refusal)

/** A whole number within limits. */
export const wholeNumber = (low: number, high: number, refusal: string) =>
  parserOf((text) => (/^\d+$/.test(text) && +text >= low && +text <= high ? Number(text) : undefined), refusal)
