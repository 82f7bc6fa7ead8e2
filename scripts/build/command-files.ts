import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const CLI = fileURLToPath(new URL('../../src/cli/', import.meta.url))

/** Replaces the look-up in the command line's folders by imports that esbuild can follow. */
export const commandFiles = (): Plugin => ({
  name: 'command files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]cli[\\/]generate[\\/]command-files\.ts$/ }, () => ({
      contents: [listOf('commandFiles', 'commands'), listOf('nounFiles', 'nouns')].join('\n'),
      loader: 'js',
      resolveDir: CLI,
    }))
  },
})

function listOf(name: string, folder: string): string {
  const files = readdirSync(`${CLI}${folder}`).filter((file) => file.endsWith('.ts'))
  const entries = files.map((file) => `'${file.slice(0, -'.ts'.length)}': () => import('./${folder}/${file}')`)
  return `export const ${name} = { ${entries.join(', ')} }`
}
