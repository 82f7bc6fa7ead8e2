import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { PRIVATE_FILE } from '../storage/own-files.ts'
import { decodeRecord, unpack } from './record.ts'
import type { Claim, ClusterStore } from './store.ts'
import type { PageChanges } from './wal.ts'

/** A base is stored in pieces of this size, of which only changed ones are written again. */
export const CHUNK_BYTES = 65_536

export const chunksOf = (bytes: number): number => Math.ceil(bytes / CHUNK_BYTES)

/** The chunks that changed pages belong to. */
export function chunksOfPages({ pageBytes, pages }: PageChanges): number[] {
  return [...new Set([...pages.keys()].map((number) => Math.floor(((number - 1) * pageBytes) / CHUNK_BYTES)))]
}

/** Reads a piece of a database file. */
export function readChunk(fd: number, chunk: number): Buffer {
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES)
  return bytes.subarray(0, readSync(fd, bytes, 0, CHUNK_BYTES, chunk * CHUNK_BYTES))
}

/** Pieces that are decompressed at the same time. */
const UNPACKED_AT_ONCE = 8

/** Decompresses pieces, in their order. */
async function* unpacked<T, U>(source: AsyncIterable<T>, unpackOne: (one: T) => Promise<U>): AsyncGenerator<U> {
  const next: Promise<U>[] = []
  for await (const one of source) {
    const promise = unpackOne(one)
    promise.catch(() => undefined)
    next.push(promise)
    if (next.length === UNPACKED_AT_ONCE) yield await next.shift()!
  }
  for (const promise of next) yield await promise
}

/** What a restored file differs by from the base of its world. */
export interface SinceBase {
  readonly bytes: number
  readonly chunks: Set<number>
}

/**
 * Writes the database of a world as its log has it: the base, then all later entries. Returns undefined for a world
 * that has nothing yet.
 */
export async function restore(store: ClusterStore, claim: Claim, file: string): Promise<SinceBase | undefined> {
  if (claim.baseBytes === 0 && claim.seq === claim.baseSeq) return undefined
  const fd = openSync(file, 'w', PRIVATE_FILE)
  const since = { bytes: 0, chunks: new Set<number>() }
  try {
    if (claim.baseBytes > 0)
      for await (const { at, bytes } of unpacked(store.base(claim), unpackChunk)) writeAll(fd, bytes, at)
    ftruncateSync(fd, claim.baseBytes)
    for await (const changes of unpacked(store.entries(claim), decodeRecord)) {
      applyChanges(fd, changes)
      since.bytes += changes.pages.size * changes.pageBytes
      for (const chunk of chunksOfPages(changes)) since.chunks.add(chunk)
    }
  } finally {
    closeSync(fd)
  }
  return since
}

const unpackChunk = async ({ chunk, bytes }: { chunk: number; bytes: Buffer }) => ({
  at: chunk * CHUNK_BYTES,
  bytes: await unpack(bytes),
})

function applyChanges(fd: number, { pageBytes, pageCount, pages }: PageChanges) {
  for (const [number, page] of pages) writeAll(fd, page, (number - 1) * pageBytes)
  ftruncateSync(fd, pageCount * pageBytes)
}

function writeAll(fd: number, bytes: Buffer, position: number) {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at)
}
