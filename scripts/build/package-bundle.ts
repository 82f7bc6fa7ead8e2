import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { bundle } from './bundle.ts'

/** Test runners that the package has a face for. */
const RUNNERS = ['vitest', 'jest', 'node-test', 'playwright']
/** Packages that those who use such a face have, and the library beside a face in CommonJS. */
const BROUGHT = ['vitest', '@jest/globals', '@playwright/test']

/**
 * All files lie flat in dist: src/server/world-source.ts looks one folder up from where it is. The library is a bundle of its own:
 * what it shared with the many files of the command line would lie in many small files, and each costs its first use.
 */
export async function bundlePackage(outdir: string, { write = true } = {}): Promise<Metafile> {
  const library = Object.fromEntries(RUNNERS.map((name) => [name, `src/runners/${name}.ts`]))
  const bundles = [
    await bundleParts({ cli: 'src/cli/main.ts' }, outdir, write),
    await bundleParts({ index: 'src/index.ts', ...library }, outdir, write),
  ]
  const [inputs, outputs] = [bundles.map((one) => one.inputs), bundles.map((one) => one.outputs)]
  return { inputs: Object.assign({}, ...inputs), outputs: Object.assign({}, ...outputs) }
}

const bundleParts = (entryPoints: Record<string, string>, outdir: string, write: boolean): Promise<Metafile> =>
  bundle({
    entryPoints,
    external: BROUGHT,
    outdir,
    write,
    // What is imported late stays in a file of its own, and is read only when it is wanted.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    plugins: [sqliteFromItsPackage()],
  })

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
