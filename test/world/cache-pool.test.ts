import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'

/** Enough to make the page caches of all smaller, unless other tests have left them as small as possible. */
function openTen() {
  const all = Array.from({ length: 10 }, () => openDatabase({ memory: true }))
  onTestFinished(() => {
    for (const db of all) db.close()
  })
  return all
}

test('a damaged database disturbs no other', () => {
  const image = Buffer.alloc(4_096, 'not a database')
  for (let n = 0; n < 10; n++) expect(() => openDatabase({ memory: true, image })).toThrow(/not a database/)
  expect(openTen().map((db) => db.pragma('integrity_check'))).toEqual(Array(10).fill('ok'))
})
