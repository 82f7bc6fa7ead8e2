import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { built, nameOf } from '../../scripts/openapi/fixtures.ts'
import { installedPackage, packedPackage, readPacked } from '../installed.ts'
import { ROOT } from '../paths.ts'

test('the package contains no broken links, has current schemas, and an install runs no script', async () => {
  const { files } = await readPacked(await packedPackage())
  const home = join(await installedPackage(), 'node_modules/messaging-sandbox')
  const included = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  const dead: string[] = []
  for (const { path } of files.filter(({ path }) => path.endsWith('.md'))) {
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const [, link] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^[a-z]+:/.test(link!) && !included.has(normalize(join(dirname(path), link!)).replace(/\/$/, '')))
        dead.push(`${path}: ${link}`)
    for (const sentence of text.split(/(?<=[.:])\s/).filter((sentence) => !/\brepository\b/.test(sentence)))
      for (const [, file] of sentence.matchAll(/`(fixtures\/[\w./-]+?)\/?`/g))
        if (!included.has(file!)) dead.push(`${path}: ${file}`)
  }
  expect(dead).toEqual([])
  const packed = (path: string) => readFile(join(home, path), 'utf8')
  for (const document of built()) expect(await packed(nameOf(document)), nameOf(document)).toBe(document.text)
  const manifest = await packed('package.json')
  expect(JSON.parse(manifest)).toMatchObject({ name: 'messaging-sandbox', bin: { sandbox: 'bin/sandbox.js' } })
  for (const field of ['scripts', 'dependencies']) expect(JSON.parse(manifest)).not.toHaveProperty(field)
  // npm would compile a package with such a file.
  expect(files.map(({ path }) => path)).not.toContainEqual(expect.stringMatching(/\.gyp$/))
  // What is bundled is invisible to a user's npm audit.
  const { components } = JSON.parse(await packed('sbom.cdx.json')) as { components: { name: string; purl: string }[] }
  for (const name of ['express', 'commander', 'zod', 'better-sqlite3'])
    expect(components).toContainEqual(
      expect.objectContaining({ name, purl: expect.stringContaining(`pkg:npm/${name}@`) }),
    )
})

const foldersOf = (path: string): string[] => {
  const above = dirname(path)
  return above === '.' ? [] : [above, ...foldersOf(above)]
}
