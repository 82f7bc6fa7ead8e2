import { seededText, seededUuids, serialOf } from './random.ts'
import { isStorageFault } from './storage/database.ts'
import type { Serials } from './storage/serials.ts'

/** Makes identifiers and secrets that follow from the seed: the n-th of a kind is the same in every run. */
export class Ids {
  /** Request ids given while nothing can be written. Counted for all worlds of the process, so that none is given twice. */
  static #unsaved = 0
  readonly #seed: string
  readonly #serials: Serials
  /** For each kind, the function that makes its n-th UUID. */
  readonly #uuids = new Map<string, (n: number) => string>()

  constructor(seed: string, serials: Serials) {
    this.#seed = seed
    this.#serials = serials
  }

  /** A new identifier: prefix and UUID. */
  next(prefix: string): string {
    return prefix + this.#uuidsOf(prefix)(this.#serials.next(prefix))
  }

  /** Sees to it that {@link next} never makes this id, which a world file gave to something. */
  claim(id: string) {
    const [, prefix, uuid] = /^([a-z_]*)([0-9a-f]{8}-[0-9a-f-]{27})$/.exec(id) ?? []
    if (prefix === undefined || uuid === undefined) return
    const n = serialOf(uuid, this.#uuidsOf(prefix))
    if (n !== undefined) this.#serials.skipTo(prefix, n)
  }

  /** An id for a request. It is given even when nothing can be written, so that the refusal can be traced. */
  nextRequest(): string {
    try {
      return this.next('req_')
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return `req_${this.#uuidsOf('unsaved')(++Ids.#unsaved)}`
    }
  }

  /** A new secret: prefix, then letters and digits. */
  secret(prefix: string, length: number): string {
    return prefix + seededText(this.#seed, `${prefix}\n${this.#serials.next(prefix)}`, length)
  }

  /** A secret that is the same in all worlds of this seed. */
  fixedSecret(purpose: string, length: number): string {
    return seededText(this.#seed, purpose, length)
  }

  #uuidsOf(kind: string): (n: number) => string {
    const known = this.#uuids.get(kind)
    if (known) return known
    const uuids = seededUuids(this.#seed, kind)
    this.#uuids.set(kind, uuids)
    return uuids
  }
}
