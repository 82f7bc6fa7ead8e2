import { cpSync, mkdirSync } from 'node:fs'
import { build, type Metafile } from 'esbuild'
import { baked } from './baked.ts'

/** Bundles src/inspector, the page at `/`, beside the code of the package. */
export async function bundleInspector(outdir: string): Promise<Metafile> {
  mkdirSync(outdir, { recursive: true })
  for (const name of ['index.html', 'mail.html', 'icon.svg']) cpSync(`src/inspector/pages/${name}`, `${outdir}/${name}`)
  const { metafile } = await build({
    entryPoints: {
      inspector: 'src/inspector/main.tsx',
      mail: 'src/inspector/mail/frame.ts',
      preview: 'src/inspector/preview.tsx',
      evidence: 'src/inspector/evidence.tsx',
    },
    outdir,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [baked()],
  })
  return metafile
}
