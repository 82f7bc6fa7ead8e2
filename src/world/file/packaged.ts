import { readFileSync } from 'node:fs'

/**
 * Bytes of a file that the build lays beside the bundle, such as `worlds/default.json`; undefined where there is none, as
 * when the sources run as they are. In the binary, scripts/binary/packaged.ts stands for this.
 */
export async function packaged(name: string): Promise<Buffer | undefined> {
  try {
    // Synchronously: through the thread pool, reading the files of a world takes 3 ms more of a start.
    return readFileSync(new URL(name, import.meta.url))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
