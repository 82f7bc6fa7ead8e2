import { readFile } from 'node:fs/promises'
import { packaged } from '../../../world/file/packaged.ts'

/** Reads a built file of the inspector, from the package, the binary or this checkout. */
export async function pageFile(name: string): Promise<string> {
  const built = new URL(`../../../../dist/inspector/${name}`, import.meta.url)
  return ((await packaged(`inspector/${name}`)) ?? (await readFile(built))).toString()
}
