import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { usage } from '../../../process/exit.ts'
import { refuseUnreadable } from '../../../process/files.ts'
import type { Io } from '../../../process/io.ts'

export interface Recognised {
  /** Reads stdin from its first byte again. */
  io: Io
  kind: 'csv' | 'json'
}

/** Finds the format by the first character that is not a space: JSON begins with [ or {, and no column name does. */
export async function recogniseFormat(io: Io, path: string): Promise<Recognised> {
  if (path !== '-') return { io, kind: kindOf(await firstBytes(io, path)) ?? 'csv' }
  const chunks: Buffer[] = []
  const rest = io.stdin[Symbol.asyncIterator]()
  let kind: Recognised['kind'] | undefined
  while (kind === undefined) {
    const { value, done } = await rest.next()
    if (done) break
    chunks.push(Buffer.from(value))
    kind = kindOf(Buffer.concat(chunks))
  }
  return { io: { ...io, stdin: joined(chunks, rest) }, kind: kind ?? 'csv' }
}

/** Undefined if only spaces were read. */
function kindOf(bytes: Buffer): Recognised['kind'] | undefined {
  const [first] = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  return first === undefined ? undefined : /[[{]/.test(first) ? 'json' : 'csv'
}

const ENOUGH_BYTES = 4096

async function firstBytes(io: Io, path: string): Promise<Buffer> {
  const file = resolve(io.cwd, path)
  const found = await stat(file).catch(refuseUnreadable(path))
  // A pipe can be read only once.
  if (!found.isFile() && !found.isDirectory())
    throw usage(`${path} is not a file, so its format is unknown.`, 'Pass --format.')
  const handle = await open(file).catch(refuseUnreadable(path))
  try {
    const { buffer, bytesRead } = await handle
      .read(Buffer.alloc(ENOUGH_BYTES), 0, ENOUGH_BYTES)
      .catch(refuseUnreadable(path))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* joined(chunks: readonly Buffer[], rest: AsyncIterator<Uint8Array | string>) {
  yield* chunks
  yield* { [Symbol.asyncIterator]: () => rest }
}
