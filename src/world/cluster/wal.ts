import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

/** Pages of a database after a commit that differ from those before it. */
export interface PageChanges {
  readonly pageBytes: number
  /** The number of pages of the database after the commit. */
  readonly pageCount: number
  /** By page number, from 1. */
  readonly pages: ReadonlyMap<number, Buffer>
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The last bit says that checksums are computed of big-endian words. */
const MAGIC = 0x377f0682
/** Frames that are read at once. */
const FRAMES = 512

/** https://www.sqlite.org/fileformat2.html#walformat */
interface Header {
  readonly pageBytes: number
  readonly areWordsSwapped: boolean
  readonly salts: Buffer
}

type Checksum = readonly [number, number]

/** Reads committed frames of the write-ahead log of a database that this process alone writes. */
export class WalReader {
  readonly #path: string
  #fd: number | undefined
  #header: Header | undefined
  /** Start of the first frame that was not read. */
  #at = HEADER_BYTES
  /** Of all frames before it. */
  #checksum: Checksum = [0, 0]

  constructor(database: string) {
    this.#path = `${database}-wal`
    // Now, where it exists: later, the process might have no file left for it.
    this.#open()
  }

  /** Whether a frame follows the last one that was read. It may belong to a transaction that is not committed. */
  get hasMore(): boolean {
    const header = this.#readHeader()
    if (header === undefined) return false
    const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES)
    return (
      readSync(this.#fd!, frame, 0, FRAME_HEADER_BYTES, this.#at) === FRAME_HEADER_BYTES &&
      frame.compare(header.salts, 0, 8, 8, 16) === 0
    )
  }

  /** Reads all commits since the last call; the last version of each page counts. Undefined without a commit. */
  read(): PageChanges | undefined {
    const header = this.#readHeader()
    if (header === undefined) return undefined
    const frameBytes = FRAME_HEADER_BYTES + header.pageBytes
    const pages = new Map<number, Buffer>()
    /** Of the transaction that is being read. */
    const uncommitted = new Map<number, Buffer>()
    let pageCount = 0
    let at = this.#at
    let checksum = this.#checksum
    for (;;) {
      // A buffer of its own: the pages outlive this call, and words need an aligned one.
      const bytes = Buffer.from(new ArrayBuffer(this.#sizeOfNext(at, frameBytes)))
      const length = bytes.length === 0 ? 0 : readSync(this.#fd!, bytes, 0, bytes.length, at)
      const count = Math.floor(length / frameBytes)
      for (let i = 0; i < count; i++) {
        const start = i * frameBytes
        const next = frameChecksum(bytes, start, header, checksum)
        // What follows was rolled back, or belongs to an earlier log.
        if (next === undefined) return this.#result(header, pages, pageCount)
        checksum = next
        at += frameBytes
        uncommitted.set(bytes.readUInt32BE(start), bytes.subarray(start + FRAME_HEADER_BYTES, start + frameBytes))
        const sizeAfterCommit = bytes.readUInt32BE(start + 4)
        if (sizeAfterCommit === 0) continue
        pageCount = sizeAfterCommit
        for (const [number, page] of uncommitted) pages.set(number, page)
        uncommitted.clear()
        this.#at = at
        this.#checksum = checksum
      }
      if (count === 0) return this.#result(header, pages, pageCount)
    }
  }

  /** Call it after a checkpoint has truncated the log. */
  restart() {
    this.#header = undefined
  }

  close() {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    this.#header = undefined
  }

  #result({ pageBytes }: Header, pages: Map<number, Buffer>, pageCount: number): PageChanges | undefined {
    if (pageCount === 0) return undefined
    for (const number of pages.keys()) if (number > pageCount) pages.delete(number)
    return { pageBytes, pageCount, pages }
  }

  #sizeOfNext(at: number, frameBytes: number): number {
    const rest = fstatSync(this.#fd!).size - at
    return Math.max(0, Math.min(FRAMES, Math.floor(rest / frameBytes))) * frameBytes
  }

  #open(): number | undefined {
    try {
      this.#fd ??= openSync(this.#path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    return this.#fd
  }

  /** The header, which SQLite writes with the first frame; undefined before. */
  #readHeader(): Header | undefined {
    if (this.#header) return this.#header
    const fd = this.#open()
    if (fd === undefined) return undefined
    const bytes = Buffer.from(new ArrayBuffer(HEADER_BYTES))
    if (readSync(fd, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
    const magic = bytes.readUInt32BE(0)
    if (magic >>> 1 !== MAGIC >>> 1) throw new Error(`${this.#path} is not a write-ahead log`)
    const areWordsSwapped = (magic & 1) === (endianness() === 'LE' ? 1 : 0)
    const sum = checksumOf(bytes, 0, HEADER_BYTES - 8, [0, 0], areWordsSwapped)
    if (!isSum(bytes, HEADER_BYTES - 8, sum)) throw new Error(`${this.#path} has a damaged header`)
    this.#header = { pageBytes: bytes.readUInt32BE(8), areWordsSwapped, salts: bytes.subarray(16, 24) }
    this.#at = HEADER_BYTES
    this.#checksum = sum
    return this.#header
  }
}

/** The checksum up to and with a frame; undefined if it is not the next frame of this log. */
function frameChecksum(bytes: Buffer, start: number, header: Header, before: Checksum): Checksum | undefined {
  if (bytes.compare(header.salts, 0, 8, start + 8, start + 16) !== 0) return undefined
  const { areWordsSwapped, pageBytes } = header
  const head = checksumOf(bytes, start, 8, before, areWordsSwapped)
  const sum = checksumOf(bytes, start + FRAME_HEADER_BYTES, pageBytes, head, areWordsSwapped)
  return isSum(bytes, start + 16, sum) ? sum : undefined
}

const isSum = (bytes: Buffer, at: number, [one, two]: Checksum): boolean =>
  bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two

function checksumOf(bytes: Buffer, start: number, length: number, [a, b]: Checksum, isSwapped: boolean): Checksum {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, length / 4)
  let one = a | 0
  let two = b | 0
  for (let i = 0; i < words.length; i += 2) {
    const x = isSwapped ? swapped(words[i]!) : words[i]!
    const y = isSwapped ? swapped(words[i + 1]!) : words[i + 1]!
    one = (one + x + two) | 0
    two = (two + y + one) | 0
  }
  return [one >>> 0, two >>> 0]
}

const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)
