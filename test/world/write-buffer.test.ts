import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Transactions } from '../../src/world/storage/transactions.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

const schema = `
CREATE TABLE lines (seq INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text <> 'refused')) STRICT;
CREATE TABLE tallies (name TEXT NOT NULL, size INTEGER NOT NULL, seen INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (name, size)) STRICT, WITHOUT ROWID;
CREATE TABLE others (text TEXT NOT NULL) STRICT;
`

function tables(source: Parameters<typeof openDatabase>[0] = { memory: true }) {
  const db = openDatabase(source)
  db.exec(schema)
  const lines = db.rows('lines', ['seq', 'text'])
  const tallies = db.counts('tallies', ['name', 'size'], 'seen')
  const all = db.prepare<{ seq: number; text: string }>('SELECT * FROM lines ORDER BY seq')
  const seen = db.prepare<{ name: string; size: number; seen: number }>('SELECT * FROM tallies ORDER BY name, size')
  return {
    db,
    lines,
    tallies,
    all: () => all.all().map(({ seq, text }) => `${seq} ${text}`),
    seen: () => seen.all().map(({ name, size, seen }) => `${name} ${size}: ${seen}`),
  }
}

test('a read of the table sees buffered rows with the keys that were returned', () => {
  const { db, lines, all } = tables()
  db.begin()
  expect(['a', 'b', 'c'].map((text) => lines.add(text))).toEqual([1, 2, 3])
  expect(all()).toEqual(['1 a', '2 b', '3 c'])
  db.commit()
  expect(all()).toEqual(['1 a', '2 b', '3 c'])
})

test('buffered counts are added to existing ones by key', () => {
  const { db, tallies, seen } = tables()
  db.begin()
  for (const size of [1, 2, 1]) tallies.add('x', size)
  db.commit()
  db.begin()
  tallies.add('x', 1)
  tallies.add('y', 1)
  expect(seen()).toEqual(['x 1: 3', 'x 2: 1', 'y 1: 1'])
  db.commit()
})

test('any number of buffered rows is written', async () => {
  for (const many of [1, 7, 8, 9, 16, 27]) {
    const { db, lines, all } = tables()
    const texts = Array.from({ length: many }, (_, i) => `line ${i}`)
    db.begin()
    for (const text of texts) lines.add(text)
    db.commit()
    expect(all()).toEqual(texts.map((text, i) => `${i + 1} ${text}`))
  }
})

test('outside a transaction nothing is buffered: another program sees a row at once', async () => {
  const file = join(await folder(), 'test.db')
  const { lines, db } = tables({ file })
  lines.add('a')
  const other = openDatabase({ file })
  expect(other.prepare('SELECT * FROM lines').all()).toEqual([{ seq: 1, text: 'a' }])
  other.close()
  db.close()
})

test('a copy of the database contains buffered rows', () => {
  const { db, lines } = tables()
  db.begin()
  lines.add('a')
  const copy = openDatabase({ memory: true, image: db.serialize() })
  expect(copy.prepare('SELECT * FROM lines').all()).toEqual([{ seq: 1, text: 'a' }])
})

test('a rollback to a savepoint drops its buffered rows and frees their keys', () => {
  const { db, lines, tallies, all, seen } = tables()
  db.begin()
  lines.add('a')
  tallies.add('x', 1)
  db.savepoint()
  lines.add('b')
  tallies.add('x', 1)
  db.rollbackTo()
  expect(lines.add('c')).toBe(2)
  db.commit()
  expect([all(), seen()]).toEqual([['1 a', '2 c'], ['x 1: 1']])
})

test('a rollback drops buffered rows, written or not', () => {
  const { db, lines, all } = tables()
  db.begin()
  lines.add('a')
  all()
  lines.add('b')
  db.rollback()
  expect([lines.add('c'), all()]).toEqual([1, ['1 c']])
})

test('clearing a table also drops its buffered rows and restarts its keys', () => {
  const { db, lines, all } = tables()
  lines.add('a')
  db.begin()
  lines.add('b')
  lines.clear()
  expect(lines.add('c')).toBe(1)
  db.commit()
  expect(all()).toEqual(['1 c'])
})

test('a row that its table refuses rolls back the transaction, at any point of discovery', () => {
  const { db, lines, all } = tables()
  const other = db.prepare("INSERT INTO others VALUES ('x')")
  for (const findOut of [() => all(), () => db.savepoint(), () => db.commit(), () => db.serialize()]) {
    db.begin()
    lines.add('a')
    other.run()
    lines.add('refused')
    expect(db.inTransaction).toBe(true)
    expect(findOut).toThrow('CHECK')
    expect(db.inTransaction).toBe(false)
    expect([all(), db.prepare('SELECT * FROM others').all()]).toEqual([[], []])
  }
})

test('all requests of a transaction fail if a row of one of them is refused', async () => {
  const { db, lines, all } = tables()
  const transactions = new Transactions(db, { committed() {}, rolledBack() {} })
  const outcomes = ['a', 'refused', 'b'].map((text) => {
    transactions.runBatched(() => lines.add(text), { decidesFirst: true })
    return transactions.whenCommitted()!.then(
      () => 'kept',
      (error) => error.code,
    )
  })
  expect(await Promise.all(outcomes)).toEqual(Array(3).fill('SQLITE_CONSTRAINT_CHECK'))
  expect(all()).toEqual([])
})

test('a request that is refused after buffering a row counts as one that has written', async () => {
  const { db, lines, all } = tables()
  const transactions = new Transactions(db, { committed() {}, rolledBack() {} })
  const refused = () => {
    lines.add('b')
    throw new Error('no')
  }
  transactions.runBatched(() => lines.add('a'), { decidesFirst: true })
  const settled = transactions.whenCommitted()
  expect(() => transactions.runBatched(refused, { decidesFirst: true })).toThrow('no')
  await expect(settled).rejects.toThrow('no')
  expect(all()).toEqual([])
})

test('rows of one table with other fields are written with all of them', () => {
  const db = openDatabase({ memory: true })
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, tag TEXT) STRICT')
  const insert = db.insert<{ id: number; text: string; tag?: string }>('notes')
  const update = db.update<{ id: number; text: string; tag?: string }>('notes', 'id = :id')
  insert({ id: 1, text: 'a' })
  insert({ id: 2, text: 'b', tag: 'x' })
  update({ id: 2, text: 'c' })
  update({ id: 1, text: 'd', tag: 'y' })
  expect(db.prepare('SELECT * FROM notes').all()).toEqual([
    { id: 1, text: 'd', tag: 'y' },
    { id: 2, text: 'c', tag: 'x' },
  ])
})

test('no trigger, view or foreign key uses a table without the statement naming it', async () => {
  const data = await folder()
  await (await createSandbox({ data })).stop()
  const db = openDatabase({ file: join(data, 'default.db') })
  expect(db.prepare("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')").all()).toEqual([])
  const targets = db.prepare<{ target: string }>(
    'SELECT f."table" AS target FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f',
  )
  // Rows of contacts are not buffered.
  expect(new Set(targets.all().map(({ target }) => target))).toEqual(new Set(['contacts']))
  db.close()
})

type Step =
  | { add: string }
  | { count: number }
  | 'read'
  | 'drop oldest'
  | 'part'
  | 'undo part'
  | 'end'
  | 'undo'
  | 'clear'
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 3, arbitrary: fc.record({ count: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('read', 'drop oldest', 'part', 'undo part', 'end', 'undo', 'clear'),
  },
) as fc.Arbitrary<Step>

/** Plays a history and returns all observed rows. */
function play(history: readonly Step[], { db, all, seen, add, count, clear }: Player): unknown[] {
  const observed: unknown[] = []
  const dropOldest = db.prepare(
    'DELETE FROM lines WHERE seq = (SELECT min(seq) FROM lines) AND (SELECT count(*) FROM lines) > 1',
  )
  let isMarked = false
  const actions: Record<Extract<Step, string>, () => void> = {
    read: () => void observed.push(all(), seen()),
    'drop oldest': () => void dropOldest.run(),
    part() {
      if (isMarked) db.release()
      else db.savepoint()
      isMarked = !isMarked
    },
    'undo part'() {
      if (isMarked) db.rollbackTo()
      isMarked = false
    },
    end() {
      db.commit()
      db.begin()
      isMarked = false
    },
    undo() {
      db.rollback()
      db.begin()
      isMarked = false
    },
    clear,
  }
  db.begin()
  for (const one of history)
    if (typeof one === 'string') actions[one]()
    else if ('add' in one) observed.push(add(one.add))
    else count(one.count)
  db.commit()
  return [...observed, all(), seen()]
}

type Player = Pick<ReturnType<typeof tables>, 'db' | 'all' | 'seen'> & {
  add(text: string): number
  count(size: number): void
  clear(): void
}

function together(): Player {
  const made = tables()
  const { lines, tallies } = made
  return {
    ...made,
    add: (text) => lines.add(text),
    count: (size) => tallies.add('x', size),
    clear: () => lines.clear(),
  }
}

function oneByOne(): Player {
  const made = tables()
  const insert = made.db.prepare('INSERT INTO lines (text) VALUES (?)')
  const upsert = made.db.prepare(
    "INSERT INTO tallies (name, size, seen) VALUES ('x', ?, 1) ON CONFLICT DO UPDATE SET seen = seen + 1",
  )
  const clear = made.db.prepare('DELETE FROM lines')
  return {
    ...made,
    add: (text) => insert.run(text).lastInsertRowid,
    count: (size) => void upsert.run(size),
    clear: () => void clear.run(),
  }
}

test('in every history, buffered rows and rows written one by one look the same', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (history) => {
      expect(play(history, together())).toEqual(play(history, oneByOne()))
    }),
    { numRuns: 200 },
  )
})
