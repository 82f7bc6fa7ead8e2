import { statSync } from 'node:fs'
import { join } from 'node:path'
import { getOrAdd } from '../../words/get-or-add.ts'
import type { Pace } from '../../words/pace.ts'
import { problem } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import { databaseFile, databasesIn, removePartialFiles } from '../storage/atomic-file.ts'
import { isDamageProblem } from '../storage/damage.ts'
import { type Database, isStorageFault } from '../storage/database.ts'
import { savedMomentStore, withImage } from '../storage/image.ts'
import { metaStore } from '../storage/meta.ts'
import {
  hasOwnFile,
  hasOwnFolder,
  isForeignFile,
  readOwnFile,
  removeFile,
  replaceOwnFile,
} from '../storage/own-files.ts'
import { makePrivateFolder } from '../storage/private.ts'
import { usedBytes } from '../storage/used-bytes.ts'
import { Clock, type ClockState } from '../time/clock.ts'

export interface Snapshot {
  name: string
  /** The namespace that was saved. */
  namespace: string
  pace: Pace
  /** World time of saving, ms. */
  at: number
  /** The size without empty pages. */
  bytes: number
}

export interface SavedWorld extends Snapshot {
  image: Buffer
}

/** Snapshots by name. A snapshot never changes. */
export interface Snapshots {
  /** Sorted by name. An unreadable snapshot does not hide the others. */
  all(): Awaitable<{ snapshots: Snapshot[]; damaged: string[] }>
  names(): Awaitable<string[]>
  read(name: string): Awaitable<SavedWorld>
  add(name: string, image: Buffer): Awaitable<Snapshot>
  refuseTaken(name: string): Awaitable<void>
  /** Saves when no other save of these snapshots is in progress. */
  inTurn<T>(save: () => Promise<T>): Promise<T>
  remove(name: string): Awaitable<void>
  /** The size of all files. */
  readonly bytes: number
}

type Awaitable<T> = T | Promise<T>

/** The snapshots of a data folder, or of a process. */
export class LocalSnapshots implements Snapshots {
  readonly #files: SnapshotFiles
  readonly #described = new Map<string, Snapshot>()
  #bytes: number | undefined

  /** Without a folder, snapshots are kept in memory. In a shared sandbox, each namespace has a folder in it. */
  constructor(folder?: string, namespace = '') {
    this.#files = folder === undefined ? new InMemory() : new Files(folder, namespace)
  }

  all(): { snapshots: Snapshot[]; damaged: string[] } {
    const snapshots: Snapshot[] = []
    const damaged: string[] = []
    for (const name of this.names())
      try {
        snapshots.push(this.describe(name))
      } catch (error) {
        if (!isForeignFile(error) && !isDamageProblem(error)) throw error
        damaged.push(name)
      }
    return { snapshots, damaged }
  }

  names(): string[] {
    return [...this.#files.keys()].sort()
  }

  /** Checks the whole file, because a world that was made from a damaged one would be damaged too. */
  read(name: string): SavedWorld {
    const image = this.#image(name)
    return { name, ...this.#moment(name, image, this.#files.areKept), image }
  }

  #image(name: string): Buffer {
    const image = this.#files.get(name)
    if (!image) throw unknownSnapshot(name, this.names())
    return image
  }

  describe(name: string): Snapshot {
    return getOrAdd(this.#described, name, () => ({ name, ...this.#moment(name, this.#image(name)) }))
  }

  add(name: string, image: Buffer): Snapshot {
    this.refuseTaken(name)
    // Not read back, because a failure would refuse what is saved.
    const snapshot = { name, ...this.#moment(name, image) }
    this.#files.set(name, image)
    this.#described.set(name, snapshot)
    this.#bytes = undefined
    return snapshot
  }

  inTurn<T>(save: () => Promise<T>): Promise<T> {
    return save()
  }

  refuseTaken(name: string) {
    if (this.#files.has(name)) throw snapshotExists(name)
  }

  remove(name: string) {
    this.#described.delete(name)
    this.#bytes = undefined
    if (!this.#files.delete(name)) throw unknownSnapshot(name, this.names())
  }

  get bytes(): number {
    this.#bytes ??= this.names().reduce((sum, name) => sum + this.#files.bytesOf(name), 0)
    return this.#bytes
  }

  /** Deletes all. */
  clear() {
    for (const name of this.names()) this.remove(name)
  }

  #moment(name: string, image: Buffer, isChecked = false) {
    try {
      return withImage(image, (db) => {
        if (isChecked && db.pragma('quick_check(1)') !== 'ok') throw damagedSnapshot(name)
        return momentIn(db)
      })
    } catch (error) {
      // Only the sandbox writes snapshots, so one without the values of a world is damaged.
      throw isStorageFault(error) ? error : damagedSnapshot(name)
    }
  }
}

const damagedSnapshot = (name: string) =>
  problem('world_damaged', `The snapshot ${name} is damaged. Delete it: sandbox snapshots delete ${name}`)

export const snapshotExists = (name: string) =>
  problem('snapshot_exists', `The snapshot ${name} already exists, and snapshots cannot be changed. Delete it first.`)

export function unknownSnapshot(name: string, names: readonly string[]) {
  const hint =
    suggest(name, names) ||
    (names.length === 0 ? `; no snapshots are saved. To save one: sandbox snapshots save ${name}` : '.')
  return problem('not_found', `There is no snapshot ${name}${hint}`)
}

/** The saved instant of a world. */
export function momentIn(db: Database) {
  const clock = new Clock(metaStore(db).get<ClockState>('clock')!)
  const { namespace, at } = savedMomentStore(db).read() ?? { namespace: '', at: clock.now() }
  return { namespace, at, pace: clock.pace, bytes: usedBytes(db) }
}

interface SnapshotFiles {
  /** They outlive the process, so something else may change them. */
  readonly areKept: boolean
  keys(): Iterable<string>
  has(name: string): boolean
  get(name: string): Buffer | undefined
  set(name: string, image: Buffer): unknown
  bytesOf(name: string): number
  delete(name: string): boolean
}

class InMemory extends Map<string, Buffer> implements SnapshotFiles {
  readonly areKept = false

  bytesOf(name: string): number {
    return this.get(name)?.length ?? 0
  }
}

/** A file for each snapshot, replaced atomically. */
class Files implements SnapshotFiles {
  readonly areKept = true
  readonly #parent: string
  readonly #folder: string

  constructor(parent: string, namespace: string) {
    this.#parent = parent
    this.#folder = join(parent, namespace)
    removePartialFiles(this.#checkedFolder())
  }

  keys(): string[] {
    return databasesIn(this.#checkedFolder())
  }

  has(name: string): boolean {
    return hasOwnFile(this.#fileOf(name))
  }

  get(name: string): Buffer | undefined {
    return readOwnFile(this.#fileOf(name))
  }

  set(name: string, image: Buffer) {
    makePrivateFolder(this.#checkedFolder())
    replaceOwnFile(this.#fileOf(name), image)
  }

  bytesOf(name: string): number {
    return statSync(this.#fileOf(name)).size
  }

  delete(name: string): boolean {
    const existed = this.has(name)
    removeFile(this.#fileOf(name))
    return existed
  }

  #fileOf(name: string): string {
    return databaseFile(this.#checkedFolder(), name)
  }

  /** Checked at each use, because a link may appear while the sandbox runs. */
  #checkedFolder(): string {
    if (hasOwnFolder(this.#parent)) hasOwnFolder(this.#folder)
    return this.#folder
  }
}
