import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const pathOf = (file: string) => fileURLToPath(new URL(`../../src/registry/${file}`, import.meta.url))

const lines = readFileSync(pathOf('registry.ts'), 'utf8')

/**
 * Replaces the late imports of the registry by plain ones. A late import makes a file of its own in the bundle, and the
 * first request needs all: a hundred files cost it 70 ms more than one. A CommonJS bundle could not wait for them either.
 */
export function registered(): Plugin {
  const contents: Record<string, string> = {
    [pathOf('contracts.ts')]: listed('contracts', 'contract', (name, path) => `import * as ${name} from '${path}'`),
    [pathOf('nouns.ts')]: listed('nouns', 'noun', (name, path) => `import { noun as ${name} } from '${path}'`),
  }
  return {
    name: 'registered',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]registry[\\/](contracts|nouns)\.ts$/ }, ({ path }) => ({
        contents: contents[path]!,
        loader: 'js',
        resolveDir: dirname(path),
      }))
    },
  }
}

function listed(list: string, field: string, importOf: (name: string, path: string) => string): string {
  const imports = lines.matchAll(new RegExp(`\\b${field}: \\(\\) => import\\('([^']+)'\\)`, 'g'))
  const paths = [...imports].map(([, path]) => path!)
  if (paths.length === 0) throw new Error(`src/registry/registry.ts has no ${field} in it`)
  const names = paths.map((_, i) => `${field}${i}`)
  return [...paths.map((path, i) => importOf(names[i]!, path)), `export const ${list} = [${names.join(', ')}]`].join(
    '\n',
  )
}
