import fc, { type Arbitrary } from 'fast-check'

/** Values that are known to break programs. */
export const junk: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[
      '',
      ' ',
      '0',
      'NaN',
      '1e999',
      '-1',
      '\u0000',
      '\ud800',
      '\u{1f600}',
      '../../etc/passwd',
      "'; DROP TABLE messages;--",
    ],
    ...['__proto__', 'constructor', '+49', '%00', '%ZZ', '.', '..', '99999999999999999999', 'a'.repeat(10_000)],
    ...[0, -0, -1, 1e308, -0.00001, 2 ** 60, 1.5, true, false, null, [], {}, [[]]],
  ),
)

type Step = 'drop' | 'replace' | 'null' | 'wrap' | 'add' | 'double'

/** Makes JSON text of a valid value with one change. */
export const broken = (valid: Arbitrary<unknown>): Arbitrary<string> =>
  fc
    .tuple(
      valid,
      fc.nat(),
      fc.constantFrom<Step>('drop', 'replace', 'null', 'wrap', 'add', 'double'),
      junk,
      fc.string(),
    )
    .map(([value, where, step, odd, name]) => {
      const copy = JSON.parse(JSON.stringify(value)) as unknown
      const spots = spotsIn(copy)
      const spot = spots[where % spots.length]
      if (spot) change(spot, step, odd, name)
      return JSON.stringify(copy)
    })

interface Spot {
  holder: Record<string, unknown>
  key: string
}

/** Lists the places of a value that can be changed. */
function spotsIn(value: unknown): Spot[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...spotsIn(holder[key])])
}

function change({ holder, key }: Spot, step: Step, odd: unknown, name: string) {
  if (step === 'drop') delete holder[key]
  else if (step === 'replace') holder[key] = odd
  else if (step === 'null') holder[key] = null
  else if (step === 'wrap') holder[key] = [holder[key]]
  else if (step === 'double')
    holder[key] = typeof holder[key] === 'string' ? holder[key].repeat(2) : [holder[key], holder[key]]
  else
    Object.defineProperty(holder, name || '__proto__', {
      value: odd,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}
