import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { built, nameOf } from '../../scripts/openapi/fixtures.ts'
import { packedPackage, readPacked } from '../installed.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('the package contains no broken links, has current schemas, and runs no install script', async () => {
  const place = await packedPackage()
  const { filename, files } = await readPacked(place)
  const included = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  const dead: string[] = []
  for (const { path } of files.filter(({ path }) => path.endsWith('.md')))
    for (const [, link] of (await readFile(join(ROOT, path), 'utf8')).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^[a-z]+:/.test(link!) && !included.has(normalize(join(dirname(path), link!)).replace(/\/$/, '')))
        dead.push(`${path}: ${link}`)
  expect(dead).toEqual([])
  const packed = (path: string) =>
    execFileSync('tar', ['xzOf', join(place, filename), `package/${path}`], { encoding: 'utf8', maxBuffer: 1e8 })
  for (const document of built()) expect(packed(nameOf(document)), nameOf(document)).toBe(document.text)
  const manifest = packed('package.json')
  expect(JSON.parse(manifest)).toMatchObject({ name: 'messaging-sandbox', bin: { sandbox: 'bin/sandbox.js' } })
  expect(JSON.parse(manifest)).not.toHaveProperty('scripts')
  // What is bundled is invisible to a user's npm audit.
  const { components } = JSON.parse(packed('sbom.cdx.json')) as { components: { name: string; purl: string }[] }
  for (const name of ['express', 'commander', 'zod', 'better-sqlite3'])
    expect(components).toContainEqual(
      expect.objectContaining({ name, purl: expect.stringContaining(`pkg:npm/${name}@`) }),
    )
})

const foldersOf = (path: string): string[] => {
  const above = dirname(path)
  return above === '.' ? [] : [above, ...foldersOf(above)]
}
