import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'

/** Creates a folder that is removed after the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sandbox-'))
  // A process that is ending may still write into it for a moment.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: a world file is any YAML.
type World = any

let defaultWorld: World

/** Writes a world file that is the default one with a change. */
export async function worldLikeDefault(change: (world: World) => void): Promise<string> {
  defaultWorld ??= parse(await readFile(new URL('../fixtures/worlds/default.yaml', import.meta.url), 'utf8'))
  const world = structuredClone(defaultWorld)
  change(world)
  return worldFile(world)
}

/** Writes a world file with these sections only. */
export const worldWith = (sections: Record<string, unknown>): Promise<string> =>
  worldFile({ seed: 'a world of a test', ...sections })

/** Writes JSON, which is YAML too, and the quickest to write. The same content has the same path, and is read once. */
async function worldFile(content: unknown): Promise<string> {
  const text = JSON.stringify(content)
  const place = join(tmpdir(), `worlds-${process.pid}`, hash('sha256', text))
  await mkdir(place, { recursive: true })
  const path = join(place, 'world.yaml')
  await writeFile(path, text)
  return path
}
