import { instantFault, startFault } from './instant-text.ts'
import { checkedText } from './text.ts'

const LEAP_DAY = '([2-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[3579][26])00)-02-29'
const OTHER_DAY =
  '[2-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const INSTANT_PATTERN = `^(${OTHER_DAY}|${LEAP_DAY})T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`

const checkedBy = (faultOf: (text: string) => string | undefined, pattern: string) =>
  checkedText('invalid_format', faultOf).meta({ example: '2027-01-01T00:00Z', pattern })

/** An instant checked by {@link instantFault}; parsing keeps the string. */
export const Instant = checkedBy(instantFault, INSTANT_PATTERN)

/** The start time of a clock, checked by {@link startFault}. */
export const StartInstant = checkedBy(startFault, INSTANT_PATTERN.replace('^', '^(?!9999)'))
