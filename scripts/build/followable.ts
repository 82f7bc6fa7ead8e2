import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Metafile, Plugin } from 'esbuild'
import { bundle } from './bundle.ts'
import { sqliteFromFolder } from './sqlite.ts'

/**
 * The library as ES modules that a bundler can follow. Node itself reads program.js instead, which starts faster
 * (load.ts). Each export group has a file, so that an unused one is left out.
 */
const GROUPS = {
  client: 'src/client/index.ts',
  handlers: 'src/handlers/library.ts',
  sandbox: 'src/library/index.ts',
}

/** A bundler that writes CommonJS leaves no URL in its place. */
const HERE_URL =
  'const hereUrl=import.meta.url??globalThis.process.getBuiltinModule("node:url").pathToFileURL(process.cwd()+"/").href;'

const besideThis = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export async function bundleFollowable(outdir: string): Promise<Metafile> {
  const folder = `${outdir}/followable`
  const contents = await bundle({
    entryPoints: GROUPS,
    outdir: folder,
    chunkNames: '[hash]',
    format: 'esm',
    splitting: true,
    define: {
      'import.meta.url': 'hereUrl',
      'import.meta.resolve': 'undefined',
    },
    plugins: [packagedOrEmbedded(embeddedWorlds(`${outdir}/worlds`)), sqliteFromFolder()],
  })
  // esbuild keeps the order of evaluation by imports of nothing, of which its users' esbuild would warn.
  for (const name of readdirSync(folder)) {
    const text = readFileSync(`${folder}/${name}`, 'utf8').replace(/(?<=^|;)import"\.\/\w+\.js";/gm, '')
    writeFileSync(`${folder}/${name}`, /\bhereUrl\b/.test(text) ? `${HERE_URL}\n${text}` : text)
  }
  const files = Object.keys(GROUPS).map((name) => `export * from './${name}.js'\n`)
  writeFileSync(`${folder}/index.js`, files.join(''))
  await bundle({ entryPoints: { client: GROUPS.client }, outdir, outExtension: { '.js': '.cjs' }, format: 'cjs' })
  return contents
}

/** A world without its image is made from its sections, which takes some ms. The images would be 2 MB. */
function embeddedWorlds(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(names.map((name) => [`worlds/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]))
}

/** The worlds belong to the file that reads them: esbuild would put a value of `define` into what all groups share. */
const packagedOrEmbedded = (worlds: Record<string, string>): Plugin => ({
  name: 'packaged or embedded',
  setup({ onResolve, onLoad }) {
    const path = besideThis('packaged-or-embedded.ts')
    onResolve({ filter: /\/packaged\.ts$/ }, () => ({ path }))
    onLoad({ filter: /\/packaged-or-embedded\.ts$/ }, () => ({
      contents: `${readFileSync(path, 'utf8')}\nconst EMBEDDED_WORLDS = ${JSON.stringify(worlds)}`,
      loader: 'ts',
    }))
  },
})
