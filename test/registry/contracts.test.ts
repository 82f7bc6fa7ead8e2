import { expect, test } from 'vitest'
import { api, nouns, operations } from '../../src/registry/api.ts'
import { contracts } from '../../src/registry/contracts.ts'
import { GROUPS } from '../../src/words/about.ts'

test('every operation has a unique id, and belongs to a noun with one contract', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  const names = nouns.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(api).sort()).toEqual([...names].sort())
})

test('every heading has a noun', () => {
  expect(new Set(nouns.map(({ group }) => group))).toEqual(new Set(GROUPS))
})

test('a contract exports its operations by verb and noun', () => {
  const exported = contracts.flatMap((contract) => Object.entries(contract ?? {}))
  const named = exported.filter(([, value]) => (operations as unknown[]).includes(value)).map(([name]) => name)
  expect(named.length).toBe(operations.length)
  for (const name of named) expect(name).toMatch(/^[a-z]+([A-Z][a-z]*)+$/)
})
