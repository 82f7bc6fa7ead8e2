import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
/** Put together beside dist and moved there whole: a build that fails, or runs beside tests, takes nothing away. */
const made = `node_modules/.cache/dist-${process.pid}`
const wantsTypes = !process.argv.includes('--no-types')

await bundle()
await bakeWorlds()
await copyViewer()
const failed = wantsTypes ? declareTypes() : 0
if (failed) {
  rmSync(made, { recursive: true })
  process.exit(failed)
}
if (!wantsTypes && existsSync('dist/types')) cpSync('dist/types', `${made}/types`, { recursive: true })
takeItsPlace()

/** All files lie flat in dist: src/fixtures.ts and src/version.ts look one folder up from where they are. */
async function bundle() {
  await build({
    entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: made,
    bundle: true,
    // What is imported late stays in a file of its own, and is read only when it is wanted.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // As CommonJS it would lose its named exports when it is imported late.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    plugins: [zodByParts(), requiredNotImported(), withoutTables()],
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

/**
 * What Express loads and nobody here calls: its body parser with half a megabyte of character tables (src/server/body.ts
 * reads JSON itself), and the media types of all files there are, for serving files.
 */
function withoutTables(): Plugin {
  const instead: Record<string, string> = {
    'body-parser': `const none = () => { throw new Error('body-parser is left out of the bundle, see scripts/build.ts') }
      module.exports = { json: none, raw: none, text: none, urlencoded: none }`,
    'mime-db': `const type = (...extensions) => ({ extensions, charset: 'UTF-8' })
      module.exports = { 'application/json': type('json'), 'text/html': type('html'), 'text/plain': type('txt'),
        'application/octet-stream': { extensions: ['bin'] } }`,
  }
  return {
    name: 'without tables',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(body-parser|mime-db)$/ }, ({ path }) => ({ path, namespace: 'left out' }))
      onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) => ({ contents: instead[path]!, loader: 'js' }))
    },
  }
}

/** Worlds of the package as they are after reading and checking, so that a start need not do it. */
async function bakeWorlds() {
  const [{ loadWorldFile }, { nouns }, { Worlds }] = await Promise.all([
    import('../src/fixtures.ts'),
    import('../src/nouns.ts'),
    import('../src/world/worlds.ts'),
  ])
  const onFault = (error: unknown) => {
    throw error
  }
  mkdirSync(`${made}/worlds`)
  for (const file of readdirSync('fixtures/worlds')) {
    const name = basename(file, '.yaml')
    const world = await loadWorldFile(name)
    writeFileSync(`${made}/worlds/${name}.json`, JSON.stringify(world))
    writeFileSync(`${made}/worlds/${name}.db`, new Worlds({ file: world, nouns, clock: 'frozen', onFault }).makeImage())
  }
}

/** The pages at /docs work offline, and without the viewer's package. */
async function copyViewer() {
  const { VIEWER_FILES, viewerPath } = await import('../src/openapi/viewer.ts')
  mkdirSync(`${made}/docs`)
  for (const name of VIEWER_FILES) cpSync(fileURLToPath(viewerPath(name)), `${made}/docs/${name}`)
}

function declareTypes(): number {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  return (
    spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', `${made}/types`], {
      stdio: 'inherit',
    }).status ?? 1
  )
}

function takeItsPlace() {
  const old = `${made}-old`
  if (existsSync('dist')) renameSync('dist', old)
  renameSync(made, 'dist')
  rmSync(old, { recursive: true, force: true })
}
