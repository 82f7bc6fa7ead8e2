/** Areas of the North American plan, 201 to 919: those of these last two digits exist with each first digit from 2 to 9. */
const AREAS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19].flatMap((area) =>
  [2, 3, 4, 5, 6, 7, 8, 9].map((hundreds) => hundreds * 100 + area),
)
/** The count of numbers that differ in area and last two digits only, such as 555-0100 to 555-0199 of all areas. */
export const FICTIONAL_ALIKE = AREAS.length * 100
/** 555-1212 is directory assistance. */
const BLOCKS = Array.from({ length: 99 }, (_, i) => i + 1).filter((block) => block !== 12)

/** How many numbers there are before the first repetition. */
export const FICTIONAL_PHONES = FICTIONAL_ALIKE * BLOCKS.length

/**
 * Unassigned numbers: the plan reserves 555-0100 to 555-0199 of every area for fiction, and assigns no other number of 555.
 * Applications that validate numbers accept them. There are 1.3 million, so that a lease repeats
 * none: an application may remember a number as long as it runs.
 */
export function fictionalPhone(n: number, start: number): string {
  const place = (start + n) % FICTIONAL_ALIKE
  const block = BLOCKS[Math.floor(n / FICTIONAL_ALIKE) % BLOCKS.length]!
  const line = `${String(block).padStart(2, '0')}${String(place % 100).padStart(2, '0')}`
  return `+1${AREAS[Math.floor(place / 100)]}555${line}`
}
