import { z } from 'zod'
import { withCommas } from './number-text.ts'

/** Counts Unicode code points, so an emoji outside the basic plane counts once. */
export function countCharacters(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const low = text.charCodeAt(i + 1)
      if (low >= 0xdc00 && low <= 0xdfff) {
        count--
        i++
      }
    }
  }
  return count
}

/** A visible character: neither white space nor an ignorable one. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u

/** A string of `min` to `max` characters. With `min` above 0 it must not be blank either. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => value.length <= max || (value.length <= 2 * max && countCharacters(value) <= max), {
      error: () => `must have at most ${withCommas(max)} characters`,
      params: { code: 'too_big' },
    })
    .refine((value) => value.length >= min, { error: 'must not be empty', params: { code: 'too_small' }, abort: true })
    .refine((value) => min === 0 || VISIBLE.test(value), {
      error: 'must not be blank: it contains only white space',
      params: { code: 'blank' },
    })
    .meta({
      ...(max === Number.POSITIVE_INFINITY ? {} : { maxLength: max }),
      ...(min > 0 ? { minLength: min, pattern: '\\S' } : {}),
    })

/** A text with a check of its own: `faultOf` returns what is wrong with it. */
export const checkedText = (code: string, faultOf: (text: string) => string | undefined, schema = z.string()) =>
  schema.check(({ value, issues }) => {
    const message = faultOf(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message, params: { code } })
  })

/** Text of any length that is not blank. */
export const nonBlankText = () => text(Number.POSITIVE_INFINITY, 1)

/**
 * URL parsers drop or encode blanks, add missing slashes and turn backslashes, so the called URL would differ from the given
 * one. Blanks have a refusal of their own.
 */
export const hasBlank = (url: string): boolean => /[\s\p{Cc}]/u.test(url)

export const parseWebUrl = (text: string): URL | undefined =>
  /^\s*https?:\/\/[^/\\][^\\]*$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined

export const WebUrl = z
  .string()
  .max(2048)
  .refine((value) => parseWebUrl(value) !== undefined, {
    error: 'must be an http or https URL',
    params: { code: 'invalid_url' },
  })
  .refine((value) => !hasBlank(value), {
    error: 'must not contain spaces or line breaks; write a space as %20',
    params: { code: 'invalid_url' },
  })
  .meta({ format: 'uri', example: 'https://example.com/image.png' })
