import { readFile } from 'node:fs/promises'

/**
 * Bytes of a file that the build lays beside the bundle, such as `worlds/default.json`; undefined where there is none, as
 * when the sources run as they are. In the binary, scripts/binary/packaged.ts stands for this.
 */
export const packaged = (name: string): Promise<Buffer | undefined> =>
  readFile(new URL(name, import.meta.url)).catch(() => undefined)
