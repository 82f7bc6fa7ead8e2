import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

/** What runs of better-sqlite3 beside the bundle: its compiled code for each platform, and the file that chooses one. */
const PARTS = ['LICENSE', 'lib/binding.js', 'prebuilds']

/**
 * Copies SQLite into the package. As a dependency, npm 10 and 11 would compile it in each `npm ci`, although its package
 * contains the compiled code (docs/decisions/no-dependency.md).
 */
export function copySqlite(folder: string) {
  const from = 'node_modules/better-sqlite3'
  for (const part of PARTS) cpSync(`${from}/${part}`, `${folder}/${part}`, { recursive: true })
  const { name, version, license } = JSON.parse(readFileSync(`${from}/package.json`, 'utf8'))
  // Unlike the package around it, it is CommonJS.
  writeFileSync(`${folder}/package.json`, `${JSON.stringify({ name, version, license, type: 'commonjs' }, null, 2)}\n`)
}

/** Bundles better-sqlite3, whose compiled code is found in the folder of copySqlite. */
export function sqliteFromFolder(): Plugin {
  return {
    name: 'sqlite from its folder',
    setup({ onResolve }) {
      const path = fileURLToPath(new URL('sqlite-binding.ts', import.meta.url))
      onResolve({ filter: /^\.\/binding$/ }, () => ({ path }))
    },
  }
}
