import { hash } from 'node:crypto'

/** Everything that happens by chance is a function of the seed and of what it decides, so runs repeat. */

const digest = (seed: string, key: string) => hash('sha256', `${seed}\n${key}`, 'hex')

/** A UUID (version 4 in form). */
export function seededUuid(seed: string, key: string): string {
  const hex = digest(seed, key)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A number in [0, 1). */
export const seededShare = (seed: string, key: string): number =>
  Number.parseInt(digest(seed, key).slice(0, 13), 16) / 2 ** 52

/** Letters and digits, for secrets and tokens. */
export function seededText(seed: string, key: string, length: number): string {
  const bytes = Buffer.from(digest(seed, key) + digest(seed, `${key}\n2`), 'hex')
  return bytes
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length)
}
