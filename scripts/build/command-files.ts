import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const CLI = fileURLToPath(new URL('../../src/cli/', import.meta.url))

/** Replaces the look-up in the command line's folders by imports that esbuild can follow. */
export const commandFiles = (): Plugin => ({
  name: 'command files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]cli[\\/]generate[\\/]command-files\.ts$/ }, () => ({
      contents: [listOf('commandFiles', 'commands/*/index.ts'), listOf('nounFiles', 'nouns/*.ts')].join('\n'),
      loader: 'js',
      resolveDir: CLI,
    }))
  },
})

function listOf(name: string, pattern: string): string {
  const files = globSync(pattern, { cwd: CLI })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const entries = files.map((file) => `'${file.split('/')[1]!.replace(/\.ts$/, '')}': () => import('./${file}')`)
  return `export const ${name} = { ${entries.join(', ')} }`
}
