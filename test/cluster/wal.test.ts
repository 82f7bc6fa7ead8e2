import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRecord, encodeRecord, pagesOf } from '../../src/world/cluster/record.ts'
import { type PageChanges, WalReader } from '../../src/world/cluster/wal.ts'
import { folder } from '../folder.ts'

/** A database whose log is applied to a copy, page by page. */
async function followed({ cachePages = 100 } = {}) {
  const path = await folder()
  const file = join(path, 'a.db')
  const db = new Sqlite(file)
  db.pragma('page_size = 1024')
  db.pragma('journal_mode = WAL')
  db.pragma('wal_autocheckpoint = 0')
  db.pragma(`cache_size = ${cachePages}`)
  const reader = new WalReader(file)
  const copy = openSync(join(path, 'b.db'), 'w+')
  function apply({ pageBytes, pageCount, pages }: PageChanges) {
    for (const [number, page] of pages) writeSync(copy, page, 0, page.length, (number - 1) * pageBytes)
    ftruncateSync(copy, pageCount * pageBytes)
  }
  return {
    ...{ db, reader },
    /** Reads committed pages; returns whether there were any. */
    async follow() {
      const changes = reader.read()
      if (changes) apply(await decodeRecord(await encodeRecord(changes)))
      return changes !== undefined
    },
    copyOf: () => readFileSync(join(path, 'b.db')),
    end() {
      reader.close()
      db.close()
      closeSync(copy)
    },
  }
}

test('the pages of all commits, and of nothing else, make the same database', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('commit' as const), rows: fc.integer({ min: 1, max: 60 }) }),
    // More than the cache holds, so that pages are in the log before the rollback.
    fc.record({ do: fc.constant('roll back' as const), rows: fc.integer({ min: 1, max: 300 }) }),
    fc.record({ do: fc.constant('shrink' as const), rows: fc.constant(0) }),
    fc.record({ do: fc.constant('checkpoint' as const), rows: fc.constant(0) }),
    fc.record({ do: fc.constant('read' as const), rows: fc.constant(0) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { db, reader, follow, copyOf, end } = await followed({ cachePages: 5 })
      db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT')
      const insert = db.prepare('INSERT INTO t (text) VALUES (?)')
      for (const { do: what, rows } of steps) {
        if (what === 'commit' || what === 'roll back') {
          db.exec('BEGIN')
          for (let i = 0; i < rows; i++) insert.run('x'.repeat(i * 7))
          // An open transaction is not read, even where its pages are in the log.
          if (i50(rows)) await follow()
          db.exec(what === 'commit' ? 'COMMIT' : 'ROLLBACK')
        } else if (what === 'shrink') {
          db.exec('DELETE FROM t WHERE id % 3 > 0; VACUUM')
        } else if (what === 'checkpoint') {
          await follow()
          expect(db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })).toBe(0)
          reader.restart()
        } else await follow()
      }
      await follow()
      expect(reader.read()).toBeUndefined()
      expect(copyOf().equals(db.serialize())).toBe(true)
      end()
    }),
    { numRuns: 40 },
  )
})

const i50 = (rows: number) => rows % 2 === 0

test('the reader detects new data without reading it', async () => {
  const { db, reader, follow, end } = await followed()
  expect(reader.hasMore).toBe(false)
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT')
  expect(reader.hasMore).toBe(true)
  expect(await follow()).toBe(true)
  expect(reader.hasMore).toBe(false)
  db.exec('INSERT INTO t VALUES (1)')
  expect(reader.hasMore).toBe(true)
  end()
})

test('an image is an entry that replaces everything', async () => {
  const db = new Sqlite(':memory:')
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; INSERT INTO t VALUES (1), (2)')
  const image = db.serialize()
  const { pages, pageCount } = await decodeRecord(await encodeRecord(pagesOf(image)))
  expect(pages.size).toBe(pageCount)
  expect(Buffer.concat([...pages.values()]).equals(image)).toBe(true)
})
