import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { usage } from './exit.ts'
import { parseObject } from './flags.ts'
import { type Io, readAll } from './io.ts'

/** The text of a file, or of stdin for `-`. */
export async function textOf(io: Io, path: string): Promise<string> {
  if (path === '-') return readAll(io.stdin)
  return readFile(resolve(io.cwd, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`)
  })
}

/** The JSON object in a file, or on stdin for `-`. */
export const objectIn = async (io: Io, path: string) =>
  parseObject(await textOf(io, path), path === '-' ? 'stdin' : path)
