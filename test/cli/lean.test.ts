import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { bundlePackage } from '../../scripts/build/package-bundle.ts'
import { packagesIn } from '../../scripts/build/packages.ts'
import { commandFiles, nounFiles } from '../../src/cli/generate/command-files.ts'

let bundle: Metafile

beforeAll(async () => {
  bundle = await bundlePackage('dist', { write: false })
})

/** The packages that come in with a source: those of its own file of the bundle, and of all files that one needs first. */
function packagesWith(source: string): string[] {
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const { path, kind } of bundle.outputs[file]!.imports)
      if (kind === 'import-statement' && path in bundle.outputs) add(path)
  }
  add(Object.keys(bundle.outputs).find((file) => bundle.outputs[file]!.inputs[source]?.bytesInOutput)!)
  const outputs = Object.fromEntries([...files].map((file) => [file, bundle.outputs[file]!]))
  return packagesIn({ inputs: {}, outputs }).map((folder) => folder.replace('node_modules/', ''))
}

test('the version is told without any package', () => {
  expect(packagesWith('src/cli/main.ts')).toEqual([])
})

test.each([
  ...Object.keys(commandFiles).map((name) => `commands/${name}`),
  ...Object.keys(nounFiles).map((name) => `nouns/${name}`),
])('%s reads in no schemas', (file) => {
  expect(packagesWith(`src/cli/${file}.ts`)).not.toContain('zod')
})

test('a command made from an operation reads in no schemas', () => {
  expect(packagesWith('src/cli/generate/generate.ts')).toContain('commander')
  expect(packagesWith('src/cli/generate/generate.ts')).not.toContain('zod')
})

test.each(['cli/commands/start', 'server/emulator', 'server/world-source'])(
  'a start is ready before it reads in schemas: %s',
  (source) => {
    expect(packagesWith(`src/${source}.ts`)).not.toContain('zod')
  },
)

test('who answers requests reads in schemas, so the list is not empty by mistake', () => {
  expect(packagesWith('src/server/service.ts')).toContain('zod')
})

test('the licences of all packages of the bundle are collected', () => {
  const text = readFileSync(fileURLToPath(new URL('../../dist/THIRD_PARTY_LICENSES.txt', import.meta.url)), 'utf8')
  for (const folder of packagesIn(bundle)) {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<string, string>
    expect(text).toContain(`\n${name} ${version} (`)
  }
})
