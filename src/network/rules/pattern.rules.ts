import { toEmail } from '../../words/email-address.ts'
import { isPhone } from '../../words/phone-number.ts'
import type { ChannelType } from '../../words/vocabulary.ts'

/** Recipients as a rule names them: an address, or a pattern in which * stands for any characters. */

export const PHONES: readonly ChannelType[] = ['RCS', 'SMS']
export const MAIL: readonly ChannelType[] = ['EMAIL']

export const isPattern = (to: string): boolean => to.includes('*')

/** Returns whether a text matches a pattern. The number of steps is at most the product of their lengths. */
export function fits(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++
      mark = t
    } else if (pattern[p] === text[t]) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++mark
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

export interface RuleRecipient {
  /** A phone in E.164 or an email address in lower case, as messages carry them. */
  to: string
  channels: readonly ChannelType[]
}

/** Reads a recipient or a pattern of recipients; undefined if no address can match it. */
export function recipientOf(text: string): RuleRecipient | undefined {
  return isPattern(text) ? patternOf(text.trim()) : addressOf(text)
}

function addressOf(text: string): RuleRecipient | undefined {
  if (isPhone(text)) return { to: text, channels: PHONES }
  const email = toEmail(text.trim())
  return email === undefined ? undefined : { to: email.toLowerCase(), channels: MAIL }
}

/** E.164: at most 15 digits, and no country code begins with 0. */
const MAX_DIGITS = 15
const PHONE_PATTERN = /^(\+(?!0)|\*)[\d*]*$/

/** A pattern that starts with + or has only digits and stars matches phones, even if a mailbox could have that name. */
function patternOf(text: string): RuleRecipient | undefined {
  const isOfPhones = PHONE_PATTERN.test(text) && text.replace(/\D/g, '').length <= MAX_DIGITS
  if (/^\*+$/.test(text)) return { to: '*', channels: [...PHONES, ...MAIL] }
  if (text.startsWith('+') || /^[\d*]+$/.test(text)) return isOfPhones ? { to: text, channels: PHONES } : undefined
  const email = text.toLowerCase()
  return couldBeEmail(email) ? { to: email, channels: MAIL } : undefined
}

/** Values tried for the first * and for the others, to see whether a pattern can match an email address. */
const FIRST = ['a', '', 'a.aa', 'a@a', 'a@a.aa', '@']
const OTHERS = ['a', '', 'a.aa']

const couldBeEmail = (pattern: string): boolean =>
  FIRST.some((first) =>
    OTHERS.some((other) => toEmail(pattern.replace('*', first).replaceAll('*', other)) !== undefined),
  )
