import { readFileSync } from 'node:fs'

/** The files of the package's worlds, without their images. */
declare const EMBEDDED_WORLDS: Readonly<Record<string, string>>

/** Takes the place of src/world/file/packaged.ts in files that users bundle, beside which the package's files may be missing. */
export async function packaged(name: string): Promise<Buffer | undefined> {
  try {
    return readFileSync(new URL(`../${name}`, import.meta.url))
  } catch {
    const text = EMBEDDED_WORLDS[name]
    return text === undefined ? undefined : Buffer.from(text)
  }
}
