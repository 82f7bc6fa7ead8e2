import { hash } from 'node:crypto'

/** Random values are functions of the seed and their purpose, so runs repeat. */

const digest = (seed: string, key: string) => hash('sha256', `${seed}\n${key}`, 'hex')

/**
 * Returns a UUID (with the form of version 4) for each number. Each send makes one, so it is mixed from integers instead
 * of hashed. The first eight digits rise with the number: UUIDs of a kind are unique, and an index of ids grows at its
 * end, where random ids would make every send write another page. Another `identity` gives entirely different UUIDs, but
 * {@link serialReader} needs only seed and kind to find the number.
 */
export function seededUuids(seed: string, kind: string, identity: string): (n: number) => string {
  const hidden = numberHiding(seed, kind)
  const [start, one, other] = wordsOf(seed, `${kind}\n${identity}`) as [number, number, number]
  return (n) => {
    const a = ((start >>> 1) + n) | 0
    const b = mix(mix(n ^ one) + other) & B_BITS
    return uuidOf(a, b, hidden.check(a, n), hidden.mask(a, b) ^ n)
  }
}

/** Recovers the number below 2³² from a UUID of {@link seededUuids}, for any identity; undefined for other UUIDs. */
export function serialReader(seed: string, kind: string): (uuid: string) => number | undefined {
  const hidden = numberHiding(seed, kind)
  return (uuid) => {
    const word = (from: number, to: number) => Number.parseInt(uuid.slice(from, to), 16)
    const a = word(0, 8) | 0
    const b = ((word(9, 13) << 16) | word(14, 18)) & B_BITS
    const c = ((word(19, 23) << 16) | word(24, 28)) & C_BITS
    const n = (word(28, 36) ^ hidden.mask(a, b)) >>> 0
    return hidden.check(a, n) === c ? n : undefined
  }
}

/** Masks out the version and variant bits of the second and third word. */
const B_BITS = 0xffff0fff | 0
const C_BITS = 0x3fffffff

/** The last word of a UUID holds its number, encrypted; the third word verifies it. */
function numberHiding(seed: string, kind: string) {
  const [one, other, third] = wordsOf(seed, kind) as [number, number, number]
  return {
    mask: (a: number, b: number) => mix(a ^ mix(b ^ one)),
    check: (a: number, n: number) => mix(mix(a ^ other) + (n ^ third)) & C_BITS,
  }
}

const wordsOf = (seed: string, key: string): number[] =>
  digest(seed, key)
    .match(/.{8}/g)!
    .map((word) => Number.parseInt(word, 16) | 0)

/** A bijection of 32-bit integers that mixes all bits, with the constants of lowbias32. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return h ^ (h >>> 15)
}

const DIGITS = Buffer.from('0123456789abcdef')
// One shared buffer: concatenation would cost each send time and garbage.
const written = Buffer.from('00000000-0000-0000-0000-000000000000')

/** Sets version and variant. */
function uuidOf(a: number, b: number, c: number, d: number): string {
  put(0, 8, a)
  put(9, 4, b >>> 16)
  put(14, 4, b | 0x4000)
  put(19, 4, (c >>> 16) | 0x8000)
  put(24, 4, c)
  put(28, 8, d)
  return written.toString('latin1')
}

/** Writes the low hexadecimal digits of a number. */
function put(at: number, digits: number, bits: number) {
  for (let i = at + digits - 1; i >= at; i--, bits >>>= 4) written[i] = DIGITS[bits & 15]!
}

/** A number in [0, 1). Mixed from integers instead of hashed, because each message draws several. */
export function seededNumber(seed: string, key: string): number {
  let a = seed.length
  let b = key.length
  for (const text of [seed, key])
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x9e3779b1)
      b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b)
    }
  const high = mix(a ^ mix(b))
  const low = mix(b + high)
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53
}

export function seededText(seed: string, key: string, length: number): string {
  const bytes = Buffer.from(digest(seed, key) + digest(seed, `${key}\n2`), 'hex')
  return bytes
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length)
}
