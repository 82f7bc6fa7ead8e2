import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { bundle } from './bundle.ts'

/** Test runners that the package has a face for. */
const RUNNERS = ['vitest', 'jest', 'node-test', 'playwright']
/** Packages that those who use such a face have, and the library beside a face in CommonJS. */
const BROUGHT = ['vitest', '@jest/globals', '@playwright/test']

/** Where the command line enters the emulator: files of the library's bundle, which it loads when it needs them. */
const ENTERED = ['server/emulator', 'server/world-source', 'library/sandbox']

const fileOf = (entered: string) => entered.replace(/^.*\//, '')

/**
 * All files lie flat in dist: src/server/world-source.ts looks one folder up from where it is. The library is a bundle of its own:
 * what it shared with the many files of the command line would lie in many small files, and each costs its first use.
 */
export async function bundlePackage(outdir: string, { write = true } = {}): Promise<Metafile> {
  const runners = Object.fromEntries(RUNNERS.map((name) => [name, `src/runners/${name}.ts`]))
  const entered = Object.fromEntries(ENTERED.map((path) => [fileOf(path), `src/${path}.ts`]))
  const bundles = [
    await bundleParts({ cli: 'src/cli/main.ts' }, outdir, write, [inTheLibrary()]),
    await bundleParts({ index: 'src/index.ts', ...runners, ...entered }, outdir, write),
  ]
  const [inputs, outputs] = [bundles.map((one) => one.inputs), bundles.map((one) => one.outputs)]
  return { inputs: Object.assign({}, ...inputs), outputs: Object.assign({}, ...outputs) }
}

const bundleParts = (
  entryPoints: Record<string, string>,
  outdir: string,
  write: boolean,
  plugins: Plugin[] = [],
): Promise<Metafile> =>
  bundle({
    entryPoints,
    external: BROUGHT,
    outdir,
    write,
    // What is imported late stays in a file of its own, and is read only when it is wanted.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    plugins: [...plugins, sqliteFromItsPackage()],
  })

/** Keeps the emulator out of the bundle of the command line. */
function inTheLibrary(): Plugin {
  return {
    name: 'in the library',
    setup({ onResolve }) {
      for (const entered of ENTERED)
        onResolve({ filter: new RegExp(`/${entered}\\.ts$`) }, () => ({
          path: `./${fileOf(entered)}.js`,
          external: true,
        }))
    },
  }
}

/** A module that knows where it is, as it does as an ES module. */
const COMMON_JS: BuildOptions = {
  format: 'cjs',
  banner: { js: "const hereUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'hereUrl' },
  // import.meta.resolve finds what a checkout has and the package carries itself.
  logOverride: { 'empty-import-meta': 'silent' },
}

/**
 * The library for those who require it: nothing of it is an ES module, which jest refuses. One file, as CommonJS cannot be
 * split; what is imported late is evaluated late all the same.
 */
export async function bundleCommonJs(outdir: string): Promise<void> {
  await bundle({
    entryPoints: ['src/index.ts'],
    outfile: `${outdir}/index.cjs`,
    ...COMMON_JS,
    plugins: [sqliteFromItsPackage()],
  })
}

/** The faces for test runners once more as CommonJS, where they require the library that lies beside them. */
export async function bundleRunners(outdir: string): Promise<void> {
  await bundle({
    entryPoints: RUNNERS.map((name) => ({ in: `src/runners/${name}.ts`, out: name })),
    outdir,
    outExtension: { '.js': '.cjs' },
    ...COMMON_JS,
    external: BROUGHT,
    plugins: [besideTheLibrary()],
  })
}

function besideTheLibrary(): Plugin {
  return {
    name: 'beside the library',
    setup({ onResolve }) {
      onResolve({ filter: /\/library\/sandbox\.ts$/ }, () => ({ path: './index.cjs', external: true }))
    },
  }
}

/** What servers that get webhooks import: small, and nothing of the emulator. */
export async function bundleWebhooks(outdir: string): Promise<void> {
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const)
    await bundle({ entryPoints: ['src/receiving/index.ts'], outfile: `${outdir}/webhooks.${ending}`, format })
}

/** It finds its native addon from its own folder, and so stays there. */
function sqliteFromItsPackage(): Plugin {
  return {
    name: 'sqlite from its package',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^better-sqlite3$/ }, ({ path }) => ({ path, namespace: 'package' }))
      onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => ({
        contents: `import { createRequire } from 'node:module'
          export default createRequire(import.meta.url)(${JSON.stringify(path)})`,
        loader: 'js',
      }))
    },
  }
}
