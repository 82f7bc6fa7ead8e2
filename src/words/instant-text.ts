// Separate from the schema, so that commands check instants without loading zod.

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/** Describes the fault of an instant typed by a user: ISO 8601 with Z or an offset, seconds optional. */
export function instantFault(text: string): string | undefined {
  const [, year, month, day, zone] = INSTANT.exec(text) ?? []
  if (!day || Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month)))
    return 'must be a time such as 2027-01-01T00:00Z'
  return zone ? undefined : `has no time zone; for UTC write ${text}Z`
}

/** Timestamps have four-digit years. A clock stops a year earlier, so that work scheduled then fits too. */
export const END_OF_TIME = Date.UTC(9999, 0)

/** Later instants have five-digit years, which no timestamp has. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1

/** Describes the fault of the start time of a clock, after which time must be left. */
export function startFault(text: string): string | undefined {
  const fault = instantFault(text)
  if (fault) return fault
  const at = Date.parse(text)
  return at >= 0 && at < END_OF_TIME ? undefined : 'must be in the years 1970 to 9998'
}

/** 0 for a month that does not exist. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}
