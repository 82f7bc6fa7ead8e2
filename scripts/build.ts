import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })
await bundle()
await bakeWorlds()
if (!process.argv.includes('--no-types')) process.exitCode = declareTypes()

/** All files lie flat in dist: src/fixtures.ts and src/version.ts look one folder up from where they are. */
async function bundle() {
  await build({
    entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: 'dist',
    bundle: true,
    // What is imported late stays in a file of its own, and is read only when it is wanted.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // As CommonJS it would lose its named exports when it is imported late.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    plugins: [zodByParts(), requiredNotImported()],
    // CommonJS inside the bundle calls require for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  })
}

/** A namespace that is exported again cannot be taken apart; one that is imported can, and zod's 50 languages stay out. */
function zodByParts(): Plugin {
  return {
    name: 'zod by parts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'"),
        loader: 'ts',
      }))
    },
  }
}

/**
 * Importing node:http evaluates all its exports, undici among them, which costs 35 ms of a start; requiring it does not.
 * The same goes for better-sqlite3, which stays outside: it finds its native addon from its own folder.
 */
function requiredNotImported(): Plugin {
  return {
    name: 'required, not imported',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:|better-sqlite3$)/ }, ({ path, kind }) =>
        kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
      )
      onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)})`,
        loader: 'js',
      }))
    },
  }
}

/** Worlds of the package as they are after reading and checking, so that a start need not do it. */
async function bakeWorlds() {
  const { loadWorldFile } = await import('../src/fixtures.ts')
  mkdirSync('dist/worlds')
  for (const file of readdirSync('fixtures/worlds')) {
    const name = basename(file, '.yaml')
    writeFileSync(`dist/worlds/${name}.json`, JSON.stringify(await loadWorldFile(name)))
  }
}

function declareTypes(): number {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  return spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' }).status ?? 1
}
