import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { bundle } from './bundle.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Test runners that the package has a face for. */
const RUNNERS = ['vitest', 'jest', 'node-test', 'playwright']
/** Packages that those who use such a face have. */
const BROUGHT = ['vitest', '@jest/globals', '@playwright/test']

/** The parts of the library's file for the package and its command line, each evaluated on first use. */
const PARTS = ['index', 'server/emulator', 'server/world-source']

/** Large packages that few processes use, in files of their own. */
const APART = {
  '@inquirer/prompts': 'prompts',
  '@pdfme/pdf-lib': 'pdf-lib',
  express: 'express',
  yaml: 'yaml',
}

const nameOf = (path: string) => path.replace(/^.*\//, '')

/** All files lie flat in dist: src/server/world-source.ts looks one folder up from where it is. */
export async function bundlePackage(outdir: string, { write = true } = {}): Promise<Metafile> {
  const contents = await Promise.all([
    bundleWhole({ stdin: libraryEntry(), outfile: `${outdir}/library.js`, plugins: [packagesApart()], write }),
    bundleWhole({
      entryPoints: ['src/cli/entry.ts'],
      outfile: `${outdir}/command-line.js`,
      plugins: [packagesApart(), partsFromTheLibrary()],
      write,
    }),
    ...Object.entries(APART).map(([name, file]) => bundleApart(name, { outfile: `${outdir}/${file}.cjs`, write })),
    ...runnerFaces.map((face) => bundleRunners({ ...face, outdir, write })),
  ])
  if (write) {
    await bundleLoader(outdir)
    await writeEntries(outdir)
  }
  const [inputs, outputs] = [contents.map((one) => one.inputs), contents.map((one) => one.outputs)]
  return { inputs: Object.assign({}, ...inputs), outputs: Object.assign({}, ...outputs) }
}

const HERE_URL = "const hereUrl = require('node:url').pathToFileURL(__filename).href;"

/** A module that knows where it is, as it does as an ES module. */
const COMMON_JS: BuildOptions = {
  format: 'cjs',
  banner: { js: HERE_URL },
  define: { 'import.meta.url': 'hereUrl' },
  // Late imports of other files are required: not every realm may import.
  supported: { 'dynamic-import': false },
  // import.meta.resolve finds what a checkout has and the package carries itself.
  logOverride: { 'empty-import-meta': 'silent' },
}

/**
 * One file, for load.ts: a function of what CommonJS gives to a module, which jest can run too. What is imported late is
 * evaluated late in it.
 */
const bundleWhole = ({ plugins = [], ...options }: BuildOptions): Promise<Metafile> =>
  bundle({
    ...options,
    ...COMMON_JS,
    banner: { js: `(function(exports,require,module,__filename,__dirname){${HERE_URL}` },
    footer: { js: '})' },
    plugins: [...plugins, sqliteFromItsPackage()],
  })

const libraryEntry = () => ({
  contents: `module.exports = { ${PARTS.map((path) => `get '${nameOf(path)}'() { return require('./src/${path}.ts') }`)} }`,
  resolveDir: ROOT,
})

const bundleApart = (name: string, options: BuildOptions): Promise<Metafile> =>
  bundle({ ...options, ...COMMON_JS, stdin: { contents: `module.exports = require('${name}')`, resolveDir: ROOT } })

async function bundleLoader(outdir: string): Promise<void> {
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`${outdir}/${name}.js`))
      .digest('hex')
  const hashes = ['library', 'command-line'].map((name) => [name, hashOf(name).slice(0, 16)])
  await bundle({
    entryPoints: ['scripts/build/load.ts'],
    outfile: `${outdir}/load.cjs`,
    format: 'cjs',
    define: { HASHES: JSON.stringify(Object.fromEntries(hashes)) },
  })
}

/** Writes the files that import or require the library. */
async function writeEntries(outdir: string): Promise<void> {
  const load = "process.getBuiltinModule('node:module').createRequire(import.meta.url)('./load.cjs')"
  const names = Object.keys(await import('../../src/index.ts')).join(', ')
  const entries = {
    'index.js': `export const { ${names} } = ${load}.part('index')`,
    'index.cjs': "module.exports = require('./load.cjs').part('index')",
  }
  for (const [name, text] of Object.entries(entries)) writeFileSync(`${outdir}/${name}`, `${text}\n`)
}

/** The faces for test runners, as both kinds of modules; they take the library from the file of their kind. */
const runnerFaces: BuildOptions[] = [
  { format: 'esm', plugins: [elsewhere([[/\/library\/sandbox\.ts$/, './index.js']])] },
  {
    ...COMMON_JS,
    outExtension: { '.js': '.cjs' },
    plugins: [elsewhere([[/\/library\/sandbox\.ts$/, './index.cjs']])],
  },
]

const bundleRunners = (options: BuildOptions): Promise<Metafile> =>
  bundle({
    ...options,
    // They are small, and tools tell a module by an export that begins a line.
    minifyWhitespace: false,
    entryPoints: RUNNERS.map((name) => ({ in: `src/runners/${name}.ts`, out: name })),
    external: BROUGHT,
  })

/** Bundles the small part for servers that get webhooks, without the emulator. */
export async function bundleWebhooks(outdir: string): Promise<void> {
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const)
    await bundle({ entryPoints: ['src/receiving/index.ts'], outfile: `${outdir}/webhooks.${ending}`, format })
}

const packagesApart = () =>
  elsewhere(Object.entries(APART).map(([name, file]) => [new RegExp(`^${name}$`), `./${file}.cjs`]))

/** Leaves what is imported to other files of dist. */
function elsewhere(places: (readonly [imported: RegExp, file: string])[]): Plugin {
  return {
    name: 'elsewhere',
    setup({ onResolve }) {
      for (const [filter, path] of places) onResolve({ filter }, () => ({ path, external: true }))
    },
  }
}

/** The command line enters the emulator in the library's file, whose code is compiled for both. */
function partsFromTheLibrary(): Plugin {
  return {
    name: 'parts from the library',
    setup({ onResolve, onLoad }) {
      for (const path of PARTS)
        onResolve({ filter: new RegExp(`/${path}\\.ts$`) }, () => ({ path: nameOf(path), namespace: 'library' }))
      onResolve({ filter: /^\.\/load\.cjs$/, namespace: 'library' }, ({ path }) => ({ path, external: true }))
      onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => ({
        contents: `module.exports = require('./load.cjs').part('${path}')`,
        loader: 'js',
      }))
    },
  }
}

/** Its machine code is found from its own folder, and so stays there. */
function sqliteFromItsPackage(): Plugin {
  return {
    name: 'sqlite from its package',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/binding$/ }, ({ path }) => ({ path, namespace: 'package' }))
      onLoad({ filter: /.*/, namespace: 'package' }, () => ({
        contents: `import { createRequire } from 'node:module'
          import { dirname, join } from 'node:path'
          const require = createRequire(import.meta.url)
          const folder = dirname(require.resolve('better-sqlite3/package.json'))
          export const { getBinding } = require(join(folder, 'lib', 'binding.js'))`,
        loader: 'js',
      }))
    },
  }
}
