import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededUuids, serialReader } from '../../src/world/random.ts'

const text = fc.string()
const kind = fc.constantFrom('msg_', 'evt_', 'c_', '')
const serial = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a UUID contains its number, for any identity of its world', () => {
  fc.assert(
    fc.property(text, kind, text, serial, (seed, kind, identity, n) => {
      const uuid = seededUuids(seed, kind, identity)(n)
      expect(uuid).toMatch(V4)
      expect(serialReader(seed, kind)(uuid)).toBe(n)
    }),
  )
  const uuids = seededUuids('seed', 'msg_', 'a world')
  const read = serialReader('seed', 'msg_')
  for (let n = 0; n < 10_000; n++) expect(read(uuids(n))).toBe(n)
})

test('worlds with the same seed and different identities never make the same id', () => {
  const made = ['', 'one', 'two', 'three'].flatMap((identity) => {
    const uuids = seededUuids('seed', 'msg_', identity)
    return Array.from({ length: 5_000 }, (_, n) => uuids(n))
  })
  expect(new Set(made).size).toBe(made.length)
  // People distinguish ids by their first characters.
  expect(new Set(made.map((uuid) => uuid.slice(0, 8))).size).toBe(made.length)
})

test('a UUID of another seed, kind or source contains no number', () => {
  const read = serialReader('seed', 'msg_')
  fc.assert(
    fc.property(serial, text, fc.uuid(), (n, identity, anybodys) => {
      const foreign = [seededUuids('other', 'msg_', identity)(n), seededUuids('seed', 'evt_', identity)(n), anybodys]
      for (const uuid of foreign) expect(read(uuid)).toBeUndefined()
    }),
  )
})

test('a UUID that only starts like one of the sandbox contains no number', () => {
  const uuids = seededUuids('seed', 'msg_', 'a world')
  const read = serialReader('seed', 'msg_')
  fc.assert(
    fc.property(serial, fc.uuid(), (n, anybodys) => {
      expect(read(uuids(n).slice(0, 8) + anybodys.slice(8))).toBeUndefined()
    }),
  )
})
