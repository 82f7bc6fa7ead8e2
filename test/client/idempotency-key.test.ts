import { expect, test } from 'vitest'
import { newKey } from '../../src/client/idempotency-key.ts'

test('a new idempotency key is a UUID of version 4, and no other', () => {
  const keys = Array.from({ length: 1_000 }, newKey)
  expect(new Set(keys).size).toBe(1_000)
  expect(
    keys.find((key) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(key)),
  ).toBeUndefined()
})
