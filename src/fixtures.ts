import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { nouns } from './nouns.ts'
import { problem } from './words/problem.ts'
import { parseWorldFile, type WorldFile } from './world/world-file.ts'

/** Worlds that come with the package. This file and its bundle both lie one folder below the package. */
const WORLDS = new URL('../fixtures/worlds/', import.meta.url)
/** The same beside the bundle, read and checked when the package was built (scripts/build.ts). */
const BAKED = new URL('./worlds/', import.meta.url)

/** Reads a world that comes with the package by its name, or any world file by its path. */
export async function loadWorldFile(nameOrPath: string): Promise<WorldFile> {
  const isName = /^[\w-]+$/.test(nameOrPath)
  const baked = isName ? await bakedWorld(nameOrPath) : undefined
  if (baked) return baked
  const path = isName ? fileURLToPath(new URL(`${nameOrPath}.yaml`, WORLDS)) : nameOrPath
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw problem('validation_error', `The world file ${path} cannot be read: ${error.message}.`)
  })
  return parseWorldFile(await parseYaml(text, path), nouns)
}

/** Undefined where the sources run as they are. */
async function bakedWorld(name: string): Promise<WorldFile | undefined> {
  const parts = [`${name}.json`, `${name}.db`].map((part) => readFile(new URL(part, BAKED)))
  const [file, image] = await Promise.all(parts).catch(() => [])
  return file && { ...(JSON.parse(file.toString()) as WorldFile), image }
}

async function parseYaml(text: string, path: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof YAMLParseError) throw problem('validation_error', `${path} is not YAML: ${error.message}`)
    throw error
  }
}
