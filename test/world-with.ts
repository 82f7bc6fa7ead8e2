import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folder } from './folder.ts'

/** The path of a world file with nothing in it but these sections. */
export async function worldWith(sections: Record<string, unknown>): Promise<string> {
  const path = join(await folder(), 'world.yaml')
  await writeFile(path, JSON.stringify({ seed: 'a world of a test', ...sections }))
  return path
}
