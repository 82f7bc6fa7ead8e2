import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasOwnFile, removeFile, replaceOwnFile } from './own-files.ts'
import { isStorageFault } from './storage-fault.ts'

/** Enough for a change of the registry, with the logs of SQLite. */
const BYTES = 512 * 1024

/** A file that is given up when the disk is full, so that namespaces can still be deleted and keys revoked. */
export class Reserve {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Creates it, if there is space. */
  fill() {
    if (hasOwnFile(this.#file)) return
    try {
      replaceOwnFile(this.#file, Buffer.alloc(BYTES, 1), { isFleeting: true })
    } catch (error) {
      if (!isStorageFault(error)) throw error
    }
  }

  /** Called at a start, which needs space before anything can be deleted. */
  releaseIfFull() {
    const { bavail, bsize } = statfsSync(dirname(this.#file))
    if (bavail * bsize < BYTES) this.release()
  }

  /** Returns whether there was something to give up. */
  release(): boolean {
    const isThere = hasOwnFile(this.#file)
    if (isThere) removeFile(this.#file)
    return isThere
  }

  /** Repeats work that a full disk has stopped. */
  during<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isDiskFull(error) || !this.release()) throw error
      return work()
    }
  }
}

const isDiskFull = (error: unknown): boolean =>
  /^(SQLITE_FULL|SQLITE_IOERR|ENOSPC|EDQUOT)/.test(String((error as { code?: unknown } | undefined)?.code))
