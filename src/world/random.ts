import { hash } from 'node:crypto'

/** Everything that happens by chance is a function of the seed and of what it decides, so runs repeat. */

const digest = (seed: string, key: string) => hash('sha256', `${seed}\n${key}`, 'hex')

/**
 * A UUID (version 4 in form) for every number: made with each send, so mixed from integers and not hashed. Its first
 * eight digits rise with the number, so no two of a kind are alike, and an index of ids grows at its end: ids that lie
 * anywhere would have every send write a page of its own.
 */
export function seededUuids(seed: string, kind: string): (n: number) => string {
  const key = digest(seed, kind)
  const k = Array.from({ length: 8 }, (_, i) => Number.parseInt(key.slice(8 * i, 8 * i + 8), 16))
  const start = k[0]! >>> 1
  const word = (i: number, n: number) => mix(mix(n ^ k[i]!) + k[i + 4]!)
  return (n) => uuidOf(start + n, word(1, n), word(2, n), word(3, n))
}

/** The number below 2³² from which {@link seededUuids} makes this UUID; undefined when none does. */
export function serialOf(uuid: string, uuids: (n: number) => string): number | undefined {
  const wordOf = (text: string) => Number.parseInt(text.slice(0, 8), 16)
  const n = (wordOf(uuid) - wordOf(uuids(0))) >>> 0
  return uuids(n) === uuid ? n : undefined
}

/** A bijection of 32-bit integers that leaves no bit alone, with the constants of lowbias32. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return h ^ (h >>> 15)
}

const DIGITS = Buffer.from('0123456789abcdef')
// One buffer for all: a text joined from pieces costs a send more, and leaves the pieces behind.
const written = Buffer.from('00000000-0000-0000-0000-000000000000')

/** The bits that say version and variant are set, whatever the words are. */
function uuidOf(a: number, b: number, c: number, d: number): string {
  put(0, 8, a)
  put(9, 4, b >>> 16)
  put(14, 4, (b & 0x0fff) | 0x4000)
  put(19, 4, ((c >>> 16) & 0x3fff) | 0x8000)
  put(24, 4, c)
  put(28, 8, d)
  return written.toString('latin1')
}

/** The last so many hexadecimal digits of a number. */
function put(at: number, digits: number, bits: number) {
  for (let i = at + digits - 1; i >= at; i--, bits >>>= 4) written[i] = DIGITS[bits & 15]!
}

/** A number in [0, 1). Several are drawn for each message, so they are mixed from integers too. */
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

/** Letters and digits, for secrets and tokens. */
export function seededText(seed: string, key: string, length: number): string {
  const bytes = Buffer.from(digest(seed, key) + digest(seed, `${key}\n2`), 'hex')
  return bytes
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length)
}
