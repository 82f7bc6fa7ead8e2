import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'

/** A folder that goes away with the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sandbox-'))
  // A process that was told to end may still write into it for a moment.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: a world file is whatever its YAML says.
type World = any

/** The path of a world file that is the default one but for a change. */
export async function worldLikeDefault(change: (world: World) => void): Promise<string> {
  const world = parse(await readFile(new URL('../fixtures/worlds/default.yaml', import.meta.url), 'utf8'))
  change(world)
  const path = join(await folder(), 'world.yaml')
  await writeFile(path, stringify(world))
  return path
}

/** The path of a world file with nothing in it but these sections. */
export async function worldWith(sections: Record<string, unknown>): Promise<string> {
  const path = join(await folder(), 'world.yaml')
  await writeFile(path, JSON.stringify({ seed: 'a world of a test', ...sections }))
  return path
}
