import { readFile } from 'node:fs/promises'
import { packaged } from '../../../world/file/packaged.ts'

/** A file that the build has made of the inspector: out of the package or the binary, else of this checkout. */
export async function pageFile(name: string): Promise<string> {
  const built = new URL(`../../../../dist/inspector/${name}`, import.meta.url)
  return ((await packaged(`inspector/${name}`)) ?? (await readFile(built))).toString()
}
