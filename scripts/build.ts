import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { bundleFollowable } from './build/followable.ts'
import { bundleInspector } from './build/inspector.ts'
import { bundlePackage, bundleWebhooks, CONTENTS } from './build/package-bundle.ts'
import { describe, LICENCES, licenceText, packagesIn } from './build/packages.ts'
import { copySqlite } from './build/sqlite.ts'
import { declareCommonJs, declareTypes } from './build/types.ts'
import { built, write } from './openapi/fixtures.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
/** The build is made beside dist and moved there whole, so that a failing one, or one beside tests, removes nothing. */
const made = `node_modules/.cache/dist-${process.pid}`
const wantsTypes = !process.argv.includes('--no-types')

const contents = await bundlePackage(made)
writeFileSync(CONTENTS, JSON.stringify(contents))
await bundleWebhooks(made)
const page = await bundleInspector(`${made}/inspector`)
await bakeWorlds()
await bundleFollowable(made)
await copyViewer()
copySqlite(`${made}/sqlite`)
for (const document of built()) write(document)
writeLicences(contents, page)
const failed = wantsTypes ? declare() : 0
if (failed) {
  rmSync(made, { recursive: true })
  process.exit(failed)
}
if (!wantsTypes) keep('types', 'types-cjs')
takeItsPlace()

/** Worlds of the package as they are after reading and checking, so that a start need not do it. */
async function bakeWorlds() {
  const [{ loadWorldFile }, { nouns }, { WORLD_NAMES }, { Worlds }] = await Promise.all([
    import('../src/server/world-source.ts'),
    import('../src/registry/nouns.ts'),
    import('../src/words/worlds.ts'),
    import('../src/world/worlds/worlds.ts'),
  ])
  const onFault = (error: unknown) => {
    throw error
  }
  mkdirSync(`${made}/worlds`)
  for (const name of WORLD_NAMES) {
    const world = await loadWorldFile(name)
    writeFileSync(`${made}/worlds/${name}.json`, JSON.stringify(world))
    writeFileSync(
      `${made}/worlds/${name}.db`,
      await new Worlds({ file: world, nouns: async () => nouns, clock: { mode: 'frozen' }, onFault }).buildImage(),
    )
  }
}

/** The pages at /docs work offline, and without the viewer's package. */
async function copyViewer() {
  const { VIEWER_FILES, viewerPath } = await import('../src/openapi/viewer.ts')
  mkdirSync(`${made}/docs`)
  for (const name of VIEWER_FILES) cpSync(fileURLToPath(viewerPath(name)), `${made}/docs/${name}`)
}

/** Writes the licences of the packages in the bundles, of the viewer, and of zod, whose types are part of the package's. */
function writeLicences(...contents: Metafile[]) {
  const folders = new Set([...contents.flatMap(packagesIn), 'node_modules/swagger-ui-dist', 'node_modules/zod'])
  const about = 'messaging-sandbox contains these packages, whole or in part, under the licences that follow.'
  writeFileSync(`${made}/${LICENCES}`, licenceText([...folders].sort().map(describe), about))
}

function declare(): number {
  const failed = declareTypes(`${made}/types`)
  if (!failed) declareCommonJs(`${made}/types`, `${made}/types-cjs`)
  return failed
}

/** The parts of dist that this build does not make. */
function keep(...names: string[]) {
  for (const name of names)
    if (existsSync(`dist/${name}`)) cpSync(`dist/${name}`, `${made}/${name}`, { recursive: true })
}

function takeItsPlace() {
  const old = `${made}-old`
  if (existsSync('dist')) renameSync('dist', old)
  // The binary stays until it is built again.
  if (existsSync(`${old}/bin`)) renameSync(`${old}/bin`, `${made}/bin`)
  renameSync(made, 'dist')
  rmSync(old, { recursive: true, force: true })
}
