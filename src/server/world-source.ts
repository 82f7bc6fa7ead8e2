import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problem } from '../words/problem.ts'
import { capitalised, sentence } from '../words/sentence.ts'
import { isPackageWorld, isWorldName, worldFault } from '../words/worlds.ts'
import { packaged } from '../world/file/packaged.ts'
import { MAX_WORLD_BYTES, unreadable, type WorldFile } from '../world/file/world-file.ts'
import { Worlds } from '../world/worlds/worlds.ts'

export { MAX_WORLD_BYTES }

/** The package's worlds in a checkout; a build contains them prebuilt (scripts/build.ts). */
const WORLDS = new URL('../../fixtures/worlds/', import.meta.url)

/** Reads a package world by name, or a world file by path. */
export async function loadWorldFile(nameOrPath: string, folder = process.cwd()): Promise<WorldFile> {
  if (isWorldName(nameOrPath)) return ownWorld(nameOrPath)
  const path = resolve(folder, nameOrPath)
  const bytes = await bytesOf(path, nameOrPath)
  const last = lastRead.get(path)
  if (last?.name === nameOrPath && last.bytes.equals(bytes)) return last.world
  const world = { ...(await readWorld(bytes, nameOrPath)), origin: path, digest: hash('sha256', bytes) }
  if (lastRead.size === MAX_KEPT_FILES) lastRead.delete(lastRead.keys().next().value!)
  lastRead.set(path, { name: nameOrPath, bytes, world })
  return world
}

/** World files by path, because a test suite starts with the same ones in each test: reading one again takes 30 ms. */
const lastRead = new Map<string, { name: string; bytes: Buffer; world: WorldFile }>()
const MAX_KEPT_FILES = 4

/** Worlds of the package do not change while a process lives, and a test suite asks for the same one in each test. */
const ownWorlds = new Map<string, WorldFile>()

async function ownWorld(name: string): Promise<WorldFile> {
  const existing = ownWorlds.get(name)
  if (existing) return existing
  const fault = worldFault(name)
  if (fault) throw problem('validation_error', capitalised(sentence(fault)), { file: name })
  const path = fileURLToPath(new URL(`${name}.yaml`, WORLDS))
  const read = (await bakedWorld(name)) ?? (await readWorld(await bytesOf(path, path), path))
  const world = { ...read, origin: name }
  ownWorlds.set(name, world)
  return world
}

/** Parses a world file; `name` appears in its faults. */
export async function readWorld(bytes: Buffer, name: string): Promise<WorldFile> {
  const [{ readWorldText }, nouns] = await Promise.all([import('../world/file/world-text.ts'), readNouns()])
  return readWorldText(bytes, name, nouns)
}

/** Builds the world once and discards it, so that faults appear now. */
export async function tryWorld(file: WorldFile): Promise<void> {
  await new Worlds({ file, nouns: readNouns, onFault: (error) => rethrow(error) }).buildImage()
}

/** Loads the nouns for the schemas of their sections. A prebuilt world needs no check, so it does without them. */
const readNouns = async () => (await import('../registry/nouns.ts')).nouns

function rethrow(error: unknown): never {
  throw error
}

/** Loads a world that was read and checked when the package was built (scripts/build.ts); undefined in a checkout. */
async function bakedWorld(name: string): Promise<WorldFile | undefined> {
  const [file, image] = await Promise.all([packaged(`worlds/${name}.json`), packaged(`worlds/${name}.db`)])
  return file && { ...(JSON.parse(file.toString()) as WorldFile), ...(image && { image }) }
}

/** For the name of a package world with an ending that only files have. */
function packageWorldHint(name: string): string {
  const bare = basename(name).replace(/\.ya?ml$/, '')
  return isPackageWorld(bare) ? `; for the world of the package, pass ${bare}` : ''
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no permission',
}

/** Stops reading at the limit, because a device such as /dev/zero never ends. */
async function bytesOf(path: string, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of createReadStream(path, { end: MAX_WORLD_BYTES })) chunks.push(chunk as Buffer)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw unreadable(
      name,
      `cannot be read: ${WHY[code ?? ''] ?? message}${code === 'ENOENT' ? packageWorldHint(name) : ''}`,
    )
  }
  return Buffer.concat(chunks)
}
