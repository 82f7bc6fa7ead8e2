import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { CONTENTS } from '../../scripts/build/package-bundle.ts'
import { packagesIn } from '../../scripts/build/packages.ts'
import { commandFiles, nounFiles } from '../../src/cli/generate/command-files.ts'

/** The build's report on its bundles. */
const bundle: Metafile = JSON.parse(readFileSync(new URL(`../../${CONTENTS}`, import.meta.url), 'utf8'))

/** The packages that are evaluated with a source: those of all sources that it needs first. */
function packagesWith(source: string): string[] {
  const inputs = new Set<string>()
  const add = (input: string) => {
    if (inputs.has(input)) return
    inputs.add(input)
    for (const { path, kind } of bundle.inputs[input]?.imports ?? []) if (kind !== 'dynamic-import') add(path)
  }
  add(source)
  const names = [...inputs].map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))]
}

test('version and first page of help are printed without any package or command', () => {
  expect(packagesWith('src/cli/entry.ts')).toEqual([])
  const [, atOnce] = Object.entries(bundle.outputs).find(([path]) => path.endsWith('/at-once.cjs'))!
  expect(Object.keys(atOnce.inputs).filter((path) => /commands|generate|node_modules/.test(path))).toEqual([])
  expect(atOnce.bytes).toBeLessThan(10_000)
})

test.each([
  ...Object.keys(commandFiles).map((name) => `cli/commands/${name}/index`),
  ...Object.keys(nounFiles).map((name) => `cli/nouns/${name}`),
])('%s loads no schemas', (file) => {
  expect(packagesWith(`src/${file}.ts`)).not.toContain('zod')
})

test('a command generated from an operation loads no schemas', () => {
  expect(packagesWith('src/cli/generate/generate.ts')).toContain('commander')
  expect(packagesWith('src/cli/generate/generate.ts')).not.toContain('zod')
})

test.each(['index', 'server/emulator', 'server/world-source'])('the library is ready without schemas: %s', (source) => {
  expect(packagesWith(`src/${source}.ts`)).not.toContain('zod')
})

test('the list of schemas is not empty by mistake: code that answers requests loads them', () => {
  expect(packagesWith('src/server/service.ts')).toContain('zod')
})

test('the program has a byte for each letter, as its loader expects', () => {
  expect(readFileSync(new URL('../../dist/program.js', import.meta.url), 'utf8')).not.toMatch(/[^\0-\x7f]/)
})

test('the licences of all packages of the bundle are collected', () => {
  const text = readFileSync(fileURLToPath(new URL('../../dist/THIRD_PARTY_LICENSES.txt', import.meta.url)), 'utf8')
  for (const folder of packagesIn(bundle)) {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<string, string>
    expect(text).toContain(`\n${name} ${version} (`)
  }
})
