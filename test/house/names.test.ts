import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))

/** Types, classes and schemas. A component of the inspector is not one: it has the name of what it shows. */
const DECLARED = /^export (?:interface|type|(?:abstract )?class|const) ([A-Z][a-z]\w*)(?=.*[={])/gm

function declaredIn(path: string): string[] {
  const names = [...readFileSync(join(SRC, path), 'utf8').matchAll(DECLARED)]
    .filter(([text]) => !(path.endsWith('.tsx') && text.startsWith('export const')))
    .map(([, name]) => name!)
  return [...new Set(names)]
}

test('no two files export types of the same name', () => {
  const places = new Map<string, string[]>()
  for (const path of files) for (const name of declaredIn(path)) places.set(name, [...(places.get(name) ?? []), path])
  expect(places.size).toBeGreaterThan(500)
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([])
})
