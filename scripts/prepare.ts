import { existsSync } from 'node:fs'

// npx in a checkout links the checkout into a cache of its own and prepares it there again; once is enough.
const isBuilt = existsSync(new URL('../dist/load.cjs', import.meta.url))
if (process.env.npm_command !== 'exec' || !isBuilt) {
  process.argv.push('--no-types')
  await import('./build.ts')
}
