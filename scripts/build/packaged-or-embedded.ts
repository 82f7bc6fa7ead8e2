// @ts-expect-error made by followable.ts
import { worlds } from 'embedded worlds'
import { readFileSync } from 'node:fs'

/** Takes the place of src/world/file/packaged.ts in files that users bundle, beside which the package's files may be missing. */
export async function packaged(name: string): Promise<Buffer | undefined> {
  try {
    return readFileSync(new URL(`../${name}`, import.meta.url))
  } catch {
    const text = (worlds as Record<string, string>)[name]
    return text === undefined ? undefined : Buffer.from(text)
  }
}
