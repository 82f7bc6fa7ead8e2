import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'

/** Ten databases, which have less memory each than one. */
function openTen() {
  const all = Array.from({ length: 10 }, () => openDatabase({ memory: true }))
  onTestFinished(() => {
    for (const db of all) db.close()
  })
  return all
}

test('page caches get smaller while many databases are open', () => {
  const [first] = openTen()
  const size = () => Math.abs(first!.pragma('cache_size') as number)
  const ofTen = size()
  const more = openTen().concat(openTen())
  expect(size()).toBeLessThan(ofTen)
  expect(more.map((db) => db.pragma('cache_size'))).toEqual(more.map(() => -size()))
})

test('a damaged database disturbs no other', () => {
  const image = Buffer.alloc(4_096, 'not a database')
  for (let n = 0; n < 10; n++) expect(() => openDatabase({ memory: true, image })).toThrow(/not a database/)
  expect(openTen().map((db) => db.pragma('integrity_check'))).toEqual(Array(10).fill('ok'))
})
