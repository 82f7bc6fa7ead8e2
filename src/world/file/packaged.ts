import { readFileSync } from 'node:fs'

/**
 * The bytes of a file that the build puts beside the bundle, such as `worlds/default.json`; undefined if it does not exist,
 * for example without a build. The binary uses scripts/binary/packaged.ts instead.
 */
export async function packaged(name: string): Promise<Buffer | undefined> {
  try {
    // Synchronous, because the thread pool would add 3 ms to a start.
    return readFileSync(new URL(name, import.meta.url))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
