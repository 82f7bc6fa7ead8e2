import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededUuids, serialOf } from '../../src/world/random.ts'

const seedAndKind = [fc.string(), fc.constantFrom('msg_', 'evt_', 'c_', '')] as const
const serial = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))

test('a UUID tells the number that it was made from', () => {
  fc.assert(
    fc.property(...seedAndKind, serial, (seed, kind, n) => {
      const uuids = seededUuids(seed, kind)
      expect(serialOf(uuids(n), uuids)).toBe(n)
    }),
  )
  const uuids = seededUuids('seed', 'msg_')
  for (let n = 0; n < 10_000; n++) expect(serialOf(uuids(n), uuids)).toBe(n)
})

test('a UUID of another seed or kind, or of nobody, has no number', () => {
  const uuids = seededUuids('seed', 'msg_')
  fc.assert(
    fc.property(serial, fc.uuid(), (n, anybodys) => {
      for (const foreign of [seededUuids('other', 'msg_')(n), seededUuids('seed', 'evt_')(n), anybodys])
        expect(serialOf(foreign, uuids)).toBeUndefined()
    }),
  )
})

test('a UUID that only begins like one of ours has no number', () => {
  const uuids = seededUuids('seed', 'msg_')
  fc.assert(
    fc.property(serial, fc.uuid(), (n, anybodys) => {
      expect(serialOf(uuids(n).slice(0, 8) + anybodys.slice(8), uuids)).toBeUndefined()
    }),
  )
})
