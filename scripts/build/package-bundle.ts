import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { bundle, SETTINGS } from './bundle.ts'
import { bundleChunks, type Place } from './chunks.ts'
import { sqliteFromFolder } from './sqlite.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Test runners for which the package has an entry. */
const RUNNERS = ['vitest', 'jest', 'node-test', 'playwright']
/** Packages that the users of these entries install themselves. */
const BROUGHT = ['vitest', '@jest/globals', '@playwright/test']

/** The parts of the program that load.ts gives to others. */
const PARTS = { index: 'src/index.ts', emulator: 'src/server/emulator.ts', 'command-line': 'src/cli/entry.ts' }

/** Modules that most commands and a first send need. */
const OF_COMMANDS = [
  'entry',
  'run',
  'process/process-io',
  'generate/generate',
  'commands/send/index',
  'commands/start/index',
]
const OF_SERVER = ['index', 'server/emulator', 'server/service', 'registry/nouns']

/** Large packages that few processes use, in files of their own. */
const APART = {
  '@inquirer/prompts': 'prompts',
  '@pdfme/pdf-lib': 'pdf-lib',
  express: 'express',
  pg: 'pg',
  yaml: 'yaml',
}

/** The contents of the bundles, for the SBOM and for a test of what each command loads. */
export const CONTENTS = 'node_modules/.cache/bundle.json'

/** All files stand directly in dist, because src/server/world-source.ts looks one folder up from its own. */
export async function bundlePackage(outdir: string): Promise<Metafile> {
  const program = await bundleChunks(
    { entryPoints: PARTS, outdir: `${outdir}/chunks`, plugins: [packagesApart(), sqliteFromFolder()] },
    `${outdir}/program.js`,
    [OF_COMMANDS.map((name) => `src/cli/${name}.ts`), OF_SERVER.map((name) => `src/${name}.ts`)],
  )
  const contents = await Promise.all([
    bundle({ entryPoints: ['src/cli/at-once.ts'], outfile: `${outdir}/at-once.cjs`, ...COMMON_JS }),
    ...Object.entries(APART).map(([name, file]) => bundleApart(name, { outfile: `${outdir}/${file}.cjs` })),
    bundleSharedByRunners(outdir),
    ...runnerEntries.map((entry) => bundleRunners({ ...entry, outdir })),
  ])
  await bundleLoader(outdir, program)
  await writeEntries(outdir)
  const all = [program.contents, ...contents]
  const [inputs, outputs] = [all.map((one) => one.inputs), all.map((one) => one.outputs)]
  return { inputs: Object.assign({}, ...inputs), outputs: Object.assign({}, ...outputs) }
}

const HERE_URL = "const hereUrl = require('node:url').pathToFileURL(__filename).href;"

/** Gives a CommonJS file the `import.meta.url` that it has as an ES module. */
const COMMON_JS: BuildOptions = {
  format: 'cjs',
  banner: { js: HERE_URL },
  define: { 'import.meta.url': 'hereUrl' },
  // Late imports of other files become `require`, because not every realm may import.
  supported: { 'dynamic-import': false },
  // import.meta.resolve finds packages of a checkout, which this package contains.
  logOverride: { 'empty-import-meta': 'silent' },
}

const bundleApart = (name: string, options: BuildOptions): Promise<Metafile> =>
  bundle({
    ...options,
    ...COMMON_JS,
    stdin: { contents: `module.exports = require('${name}')`, resolveDir: ROOT },
    // pg has a native and a Cloudflare variant, which nothing here asks for.
    external: ['pg-native', 'pg-cloudflare'],
  })

async function bundleLoader(
  outdir: string,
  { text, places }: { text: string; places: readonly Place[] },
): Promise<void> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  await bundle({
    entryPoints: ['scripts/build/load.ts'],
    outfile: `${outdir}/load.cjs`,
    format: 'cjs',
    define: { HASH: JSON.stringify(hash), PLACES: JSON.stringify(JSON.stringify(places)) },
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

/** What the entries for test runners share, in one file. */
const SHARED_BY_RUNNERS = ['linted', 'matchers', 'received', 'signed', 'status', 'suite', 'with-sandbox']

async function bundleSharedByRunners(outdir: string): Promise<Metafile> {
  const made = await bundle({
    ...COMMON_JS,
    stdin: {
      contents: SHARED_BY_RUNNERS.map((name) => `export * from './src/runners/${name}.ts'`).join('\n'),
      resolveDir: ROOT,
    },
    outfile: `${outdir}/runner-kit.cjs`,
    plugins: [elsewhere([[/\/library\/start\.ts$/, './index.cjs']])],
  })
  const foreign = Object.keys(made.inputs).find((path) => path.startsWith('src/server/'))
  if (foreign) throw new Error(`runner-kit.cjs has an emulator of its own: ${foreign}`)
  return made
}

const sharedByRunners = () =>
  elsewhere([[new RegExp(`^\\./(${SHARED_BY_RUNNERS.join('|')})\\.ts$`), './runner-kit.cjs']])

/** The entries for test runners, as both kinds of modules. */
const runnerEntries: BuildOptions[] = [
  { format: 'esm', plugins: [sharedByRunners()] },
  { ...COMMON_JS, outExtension: { '.js': '.cjs' }, plugins: [sharedByRunners()] },
]

const bundleRunners = (options: BuildOptions): Promise<Metafile> =>
  bundle({
    ...options,
    // These files are small, and tools recognize a module by an export at the start of a line.
    minifyWhitespace: false,
    entryPoints: RUNNERS.map((name) => ({ in: `src/runners/${name}.ts`, out: name })),
    external: BROUGHT,
  })

/**
 * Bundles the small part for servers that receive webhooks, without the emulator. It imports node:crypto in the open, so that
 * bundlers for runtimes without this module refuse it, and not the first webhook.
 */
export async function bundleWebhooks(outdir: string): Promise<void> {
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const)
    await build({
      ...SETTINGS,
      entryPoints: ['src/receiving/index.ts'],
      outfile: `${outdir}/webhooks.${ending}`,
      format,
    })
}

const packagesApart = () =>
  elsewhere(Object.entries(APART).map(([name, file]) => [new RegExp(`^${name}$`), `./${file}.cjs`]))

/** Replaces imports by those of other files in dist. */
function elsewhere(places: (readonly [imported: RegExp, file: string])[]): Plugin {
  return {
    name: 'elsewhere',
    setup({ onResolve }) {
      for (const [filter, path] of places) onResolve({ filter }, () => ({ path, external: true }))
    },
  }
}
