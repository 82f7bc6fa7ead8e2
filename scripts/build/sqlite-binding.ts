import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problem } from '../../src/words/problem.ts'

/**
 * Takes the place of better-sqlite3/lib/binding.js, which finds the compiled code in its own folder: dist/sqlite. A
 * bundle of a user does not contain that folder, so it needs this package beside it.
 */

type Binding = { getBinding(path?: unknown): unknown }

const PLACE = 'sqlite/lib/binding.js'
const isMissing = (error: unknown) => (error as { code?: unknown }).code === 'MODULE_NOT_FOUND'

let binding: Binding | undefined

export function getBinding(path?: unknown): unknown {
  binding ??= findBinding()
  try {
    return binding.getBinding(path)
  } catch (error) {
    if (!isMissing(error)) throw error
    const { platform, arch } = process
    throw problem(
      'storage_unavailable',
      `The package has no compiled SQLite for ${platform}-${arch}. It has one for Linux, macOS and Windows on x64 and arm64: if this is one of them, install the package again.`,
    )
  }
}

function findBinding(): Binding {
  const here = import.meta.url
  const searches = [
    () => createRequire(here)(`./${PLACE}`),
    () => createRequire(here)(`../${PLACE}`),
    ...[here, pathToFileURL(join(process.cwd(), 'any')).href].map((from) => () => {
      const manifest = createRequire(from).resolve('messaging-sandbox/package.json')
      return createRequire(from)(join(dirname(manifest), 'dist', PLACE))
    }),
  ]
  for (const search of searches) {
    try {
      return search() as Binding
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  throw problem(
    'storage_unavailable',
    'A bundle cannot contain the compiled code of SQLite: install messaging-sandbox in the folder of the bundle, or mark it as external.',
  )
}
