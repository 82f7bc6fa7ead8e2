import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, type ZlibOptions } from 'node:zlib'
import type { PageChanges } from './wal.ts'

/**
 * One entry of the log of a world: changed pages. As bytes: a version, then compressed the size of a page, the number
 * of pages of the database, the number of changed pages, their numbers and the pages.
 */

const VERSION = 1
const HEAD_BYTES = 12

/**
 * More than a chunk or most entries: zlib asks for a thread again for each piece of its output, which is 16 KiB by
 * default and costs most of a move then.
 */
const UNPACKED_BYTES = 65_536 + 64

const inflate: (bytes: Buffer, options: ZlibOptions) => Promise<Buffer> = promisify(inflateRaw)

/** Decompresses an entry or a chunk in another thread. */
export const unpack = (bytes: Buffer): Promise<Buffer> => inflate(bytes, { chunkSize: UNPACKED_BYTES })

/** Bytes from which an entry is compressed in another thread: it would block this one for 5 ms or more. */
const LARGE_BYTES = 512 * 1024
/** A weak compression costs the least time. */
const FAST: ZlibOptions = { level: 1 }
const deflate: (bytes: Buffer, options: ZlibOptions) => Promise<Buffer> = promisify(deflateRaw)

/** Compresses a chunk or a large entry in another thread. */
export const pack = (bytes: Buffer): Promise<Buffer> => deflate(bytes, { ...FAST, chunkSize: UNPACKED_BYTES })

export async function encodeRecord({ pageBytes, pageCount, pages }: PageChanges): Promise<Buffer> {
  const plain = Buffer.allocUnsafe(HEAD_BYTES + pages.size * (4 + pageBytes))
  plain.writeUInt32LE(pageBytes, 0)
  plain.writeUInt32LE(pageCount, 4)
  plain.writeUInt32LE(pages.size, 8)
  let numberAt = HEAD_BYTES
  let pageAt = HEAD_BYTES + 4 * pages.size
  for (const [number, page] of pages) {
    plain.writeUInt32LE(number, numberAt)
    page.copy(plain, pageAt)
    numberAt += 4
    pageAt += pageBytes
  }
  const packed = plain.length < LARGE_BYTES ? deflateRawSync(plain, FAST) : await pack(plain)
  return Buffer.concat([Buffer.of(VERSION), packed])
}

export async function decodeRecord(record: Buffer): Promise<PageChanges> {
  if (record[0] !== VERSION)
    throw new Error(`The log has an entry of version ${record[0]}; this release reads ${VERSION}.`)
  const plain = await unpack(record.subarray(1))
  const pageBytes = plain.readUInt32LE(0)
  const pageCount = plain.readUInt32LE(4)
  const count = plain.readUInt32LE(8)
  const pages = new Map<number, Buffer>()
  const from = HEAD_BYTES + 4 * count
  for (let i = 0; i < count; i++)
    pages.set(plain.readUInt32LE(HEAD_BYTES + 4 * i), plain.subarray(from + i * pageBytes, from + (i + 1) * pageBytes))
  return { pageBytes, pageCount, pages }
}

/** All pages of an image, as the changes that make it of any other database. */
export function pagesOf(image: Buffer): PageChanges {
  const pageBytes = pageBytesOf(image)
  const pageCount = image.length / pageBytes
  const pages = new Map<number, Buffer>()
  for (let number = 1; number <= pageCount; number++)
    pages.set(number, image.subarray((number - 1) * pageBytes, number * pageBytes))
  return { pageBytes, pageCount, pages }
}

/** Reads the page size from the header of a database file, in which 1 means 65,536. */
function pageBytesOf(image: Buffer): number {
  const stored = image.readUInt16BE(16)
  return stored === 1 ? 65_536 : stored
}
