import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMPILED, type Lockfile, missingEntries } from '../../scripts/lockfile.ts'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))

test('the lockfile has an entry for every platform, else npm ci refuses it; node scripts/lockfile.ts adds them', () => {
  expect(missingEntries(read('package-lock.json') as Lockfile).map(({ name }) => name)).toEqual([])
})

test('an optional package without an entry is reported, one nested in its owner is not', () => {
  const owner = { optionalDependencies: { 'tool-linux-x64': '1.0.0' }, dev: true }
  expect(missingEntries({ packages: { 'node_modules/a/node_modules/tool': owner } })).toEqual([
    { name: 'tool-linux-x64', version: '1.0.0', dev: true },
  ])
  expect(
    missingEntries({
      packages: { 'node_modules/a/node_modules/tool': owner, 'node_modules/a/node_modules/tool-linux-x64': {} },
    }),
  ).toEqual([])
})

test('npm ci compiles nothing; node scripts/lockfile.ts marks the package that npm would compile', () => {
  expect((read('package-lock.json') as Lockfile).packages[COMPILED]).toMatchObject({ gypfile: false })
})

test('every package with an install script is allowed or denied by name, so that npm has nothing to warn of', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> }
  const withScripts = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript)
  const names = withScripts.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const judged = Object.keys(read('package.json').allowScripts)
  expect(names.filter((name) => !judged.includes(name))).toEqual([])
})
