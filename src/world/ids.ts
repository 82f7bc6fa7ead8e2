import { randomUUID } from 'node:crypto'
import { getOrAdd } from '../words/get-or-add.ts'
import { seededNumber, seededText, seededUuids, serialReader } from './random.ts'
import { isStorageFault } from './storage/database.ts'
import type { Serials } from './storage/serials.ts'

/** The shortest id. Most parts of a key are shorter: names, phones. */
const UUID_LENGTH = 36
const ID = /^([a-z_]*)([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/

/**
 * Makes identifiers and secrets from the seed and the world's identity. The n-th of a kind is the same if both are the
 * same, and differs between worlds.
 */
export class Ids {
  readonly #seed: string
  /** The seed of this world's secrets. */
  readonly #secretSeed: string
  readonly #identity: string
  readonly #serials: Serials
  /** For each kind, the function that makes its n-th UUID. */
  readonly #uuids = new Map<string, (n: number) => string>()
  /** For each kind, the function that finds the number of a UUID. */
  readonly #readers = new Map<string, (uuid: string) => number | undefined>()
  /** The last id that was made or used for a draw, and its key. Several draws in a row use the same id. */
  #lastId = ''
  #lastKey = ''

  /** The identity is empty in the template and in worlds of early releases. */
  constructor(seed: string, identity: string, serials: Serials) {
    this.#seed = seed
    this.#secretSeed = identity === '' ? seed : `${seed}\n${identity}`
    this.#identity = identity
    this.#serials = serials
  }

  /** A new identifier: prefix and UUID. */
  next(prefix: string): string {
    const n = this.#serials.next(prefix)
    this.#lastKey = `${prefix}${n}`
    this.#lastId = prefix + this.#uuidsOf(prefix)(n)
    return this.#lastId
  }

  /** Prevents {@link next} from making this id, because a world file uses it. */
  claim(id: string) {
    const [prefix, n] = this.#serialOf(id)
    if (n !== undefined) this.#serials.skipTo(prefix, n)
  }

  /** An id for a request. It works even if nothing can be written, so that the refusal can be traced. */
  nextRequest(): string {
    try {
      return this.next('req_')
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return strayRequestId()
    }
  }

  /** A new secret: prefix, then letters and digits. */
  secret(prefix: string, length: number): string {
    return prefix + seededText(this.#secretSeed, `${prefix}\n${this.#serials.next(prefix)}`, length)
  }

  /** A new number in [0, 1) that cannot be computed from the seed alone. */
  secretNumber(kind: string): number {
    return seededNumber(this.#secretSeed, `${kind}\n${this.#serials.next(kind)}`)
  }

  /** A secret of this world that stays the same. */
  fixedSecret(purpose: string, length: number): string {
    return seededText(this.#secretSeed, purpose, length)
  }

  /** A secret that is the same in all worlds of this seed, in every run. */
  sharedSecret(purpose: string, length: number): string {
    return seededText(this.#seed, purpose, length)
  }

  /** Returns the prefix and number of an id from a world of this seed, which are the same in every run; other texts unchanged. */
  drawKey(id: string): string {
    if (id.length < UUID_LENGTH) return id
    if (id === this.#lastId) return this.#lastKey
    const [prefix, n] = this.#serialOf(id)
    if (n === undefined) return id
    this.#lastId = id
    this.#lastKey = `${prefix}${n}`
    return this.#lastKey
  }

  #serialOf(id: string): [prefix: string, n: number | undefined] {
    const [, prefix, uuid] = ID.exec(id) ?? []
    if (prefix === undefined || uuid === undefined) return ['', undefined]
    return [prefix, getOrAdd(this.#readers, prefix, () => serialReader(this.#seed, prefix))(uuid)]
  }

  #uuidsOf(kind: string): (n: number) => string {
    return getOrAdd(this.#uuids, kind, () => seededUuids(this.#seed, kind, this.#identity))
  }
}

/** An id for a request without a world. */
export const strayRequestId = (): string => `req_${randomUUID()}`
