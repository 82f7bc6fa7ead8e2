import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nouns } from './nouns.ts'
import { packaged } from './packaged.ts'
import { problem } from './words/problem.ts'
import { suggest } from './words/validate.ts'
import { WORLD_NAMES } from './words/worlds.ts'
import { unreadable, type WorldFile } from './world/world-file.ts'
import { Worlds } from './world/worlds.ts'

/** Worlds that come with the package. This file and its bundle both lie one folder below the package. */
const WORLDS = new URL('../fixtures/worlds/', import.meta.url)

/** Reads a world that comes with the package by its name, or any world file by its path from a folder. */
export async function loadWorldFile(nameOrPath: string, folder = process.cwd()): Promise<WorldFile> {
  if (/^[\w-]+$/.test(nameOrPath)) return { ...(await ownWorld(nameOrPath)), origin: nameOrPath }
  const path = resolve(folder, nameOrPath)
  return { ...(await readWorld(await bytesOf(path, nameOrPath), nameOrPath)), origin: path }
}

async function ownWorld(name: string): Promise<WorldFile> {
  if (!(WORLD_NAMES as readonly string[]).includes(name)) throw unknownWorld(name)
  const path = fileURLToPath(new URL(`${name}.yaml`, WORLDS))
  return (await bakedWorld(name)) ?? readWorld(await bytesOf(path, path), path)
}

/** Reads what stands in a world file; `name` is what its faults are told by. */
export async function readWorld(bytes: Buffer, name: string): Promise<WorldFile> {
  const { readWorldText } = await import('./world/world-text.ts')
  return readWorldText(bytes, name, nouns)
}

/** Makes the world once and throws it away, so that what is refused when it starts is refused now. */
export function tryWorld(file: WorldFile) {
  new Worlds({ file, nouns, onFault: (error) => rethrow(error) }).makeImage()
}

function rethrow(error: unknown): never {
  throw error
}

/** As it was read and checked when the package was built (scripts/build.ts); undefined where the sources run as they are. */
async function bakedWorld(name: string): Promise<WorldFile | undefined> {
  const [file, image] = await Promise.all([packaged(`worlds/${name}.json`), packaged(`worlds/${name}.db`)])
  return file && image && { ...(JSON.parse(file.toString()) as WorldFile), image }
}

const unknownWorld = (name: string) =>
  problem(
    'validation_error',
    `There is no world ${name}${suggest(name, WORLD_NAMES).replace(/\?$/, '')}. ` +
      `With the package come ${WORLD_NAMES.join(', ')}; a file is given by its path, such as ./${name}.yaml.`,
    { file: name },
  )

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
}

async function bytesOf(path: string, name: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(name, `cannot be read: ${WHY[error.code ?? ''] ?? error.message}`)
  })
}
