import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/world/storage/database.ts'
import { journalSchema, recover } from '../../src/world/storage/journal.ts'
import { Lane, timerStore, timersSchema } from '../../src/world/time/timer-store.ts'
import { folder } from '../folder.ts'

interface Parcel {
  seq: number
  name: string | null
  place: string
  note: string | null
}

const schema = `
${journalSchema}
CREATE TABLE parcels (seq INTEGER PRIMARY KEY, name TEXT, place TEXT NOT NULL, note TEXT) STRICT;
CREATE INDEX parcels_name ON parcels (name);
`

const parcelRows = (db: Database) =>
  db.hotRows<Parcel>({
    table: 'parcels',
    columns: ['seq', 'name', 'place', 'note'],
    unique: 'name',
    bytes: 700,
    isSettled: ({ place }) => place === 'home',
    changing: ['name', 'place', 'note'],
  })

/** The rows that a statement sees. */
const read = (db: Database) => db.prepare<Parcel>('SELECT * FROM parcels ORDER BY seq').all()
/** The rows of the table itself. */
const stored = (db: Database) => db.prepareDirect<Parcel>('SELECT * FROM parcels ORDER BY seq').all()

function open(source: Parameters<typeof openDatabase>[0] = { memory: true }) {
  const db = openDatabase(source)
  db.exec(schema)
  return { db, parcels: parcelRows(db) }
}

/** The database as the next process finds it after a kill. */
function afterKill(file: string): Parcel[] {
  const copy = file.replace('.db', '.copy.db')
  for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
  // What the next process writes need not survive a power failure.
  const db = openDatabase({ file: copy, isReplica: true })
  recover(db)
  const rows = stored(db)
  expect(db.prepare('SELECT * FROM journal').all()).toEqual([])
  db.close()
  return rows
}

function add(parcels: ReturnType<typeof parcelRows>, values: Parcel): number {
  const seq = parcels.nextKey()
  parcels.add({ ...values, seq })
  return seq
}

const parcel = (name: string): Parcel => ({ seq: 0, name, place: 'depot', note: null })

test('rows stay in memory after a commit until a statement reads their table', () => {
  const { db, parcels } = open()
  db.begin()
  expect([add(parcels, parcel('a')), add(parcels, parcel('b'))]).toEqual([1, 2])
  parcels.change(2, () => ({ place: 'van' }))
  db.commit()
  expect(stored(db)).toEqual([])
  expect(parcels.get(2)).toEqual({ ...parcel('b'), seq: 2, place: 'van' })
  expect(parcels.find('a')).toEqual({ ...parcel('a'), seq: 1 })
  const rows = [
    { ...parcel('a'), seq: 1 },
    { ...parcel('b'), seq: 2, place: 'van' },
  ]
  expect(read(db)).toEqual(rows)
  expect(stored(db)).toEqual(rows)
})

test('a row that was only read is not written', () => {
  const { db, parcels } = open()
  db.begin()
  add(parcels, parcel('a'))
  db.commit()
  read(db)
  db.begin()
  parcels.findToChange('a')
  db.prepareDirect("UPDATE parcels SET note = 'from elsewhere'").run()
  db.commit()
  expect(read(db)).toEqual([{ ...parcel('a'), seq: 1, note: 'from elsewhere' }])
})

test('after a rollback that restores rows of the table itself, their keys are not used again', () => {
  const { db, parcels } = open()
  db.exec("INSERT INTO parcels (seq, name, place) VALUES (1, 'a', 'home'), (2, 'b', 'home'), (3, 'c', 'home')")
  db.begin()
  db.prepareDirect('DELETE FROM parcels WHERE seq > 1').run()
  expect(parcels.nextKey()).toBe(2)
  db.rollback()
  expect(parcels.nextKey()).toBe(4)
})

test('network work does not get the id of local work whose removal the journal contains', async () => {
  const file = join(await folder(), 'world.db')
  const db = openDatabase({ file })
  db.exec(journalSchema + timersSchema)
  const timers = timerStore(db)
  const insert = (lane: number, subject: string) =>
    timers.insert({ due_at: 1, kind: 'work', subject, payload: null }, lane)
  db.begin()
  const id = insert(Lane.local, 'done')
  db.commit()
  db.begin()
  timers.remove(id)
  db.commit()
  db.begin()
  insert(Lane.local, 'rolled back')
  db.rollback()
  db.begin()
  insert(Lane.network, 'webhook')
  db.commit()
  recover(db)
  expect(timers.dueNetwork(2).map(({ subject }) => subject)).toEqual(['webhook'])
  db.close()
})

test('a row that waits for long does not keep the journal of all later transactions', async () => {
  const { db, parcels } = open({ file: join(await folder(), 'world.db') })
  const carry = (name: string, place: string) => {
    db.begin()
    add(parcels, { ...parcel(name), place })
    db.commit()
  }
  carry('waits', 'depot')
  for (let i = 1; i <= 4_096; i++) carry(`p${i}`, 'depot')
  expect(stored(db)).toEqual([])
  for (let i = 4_097; i <= 4_200; i++) carry(`p${i}`, 'depot')
  expect(
    stored(db)
      .map(({ name }) => name)
      .slice(0, 2),
  ).toEqual(['waits', 'p1'])
  expect(db.prepare<{ count: number }>('SELECT count(*) AS count FROM journal').get()!.count).toBeLessThan(4_200)
  db.close()
})

test('a row that waits while much is written does not keep the journal of all of it', async () => {
  const { db, parcels } = open({ file: join(await folder(), 'world.db') })
  const carry = (name: string, note: string | null) => {
    db.begin()
    add(parcels, { ...parcel(name), note })
    db.commit()
  }
  const journaled = () => db.prepareDirect<{ count: number }>('SELECT count(*) AS count FROM journal').get()!.count
  carry('waits', null)
  for (let i = 1; i <= 70; i++) carry(`p${i}`, null)
  const large = 'x'.repeat(1_600_000)
  for (let i = 71; i <= 109; i++) carry(`p${i}`, large)
  expect(stored(db)).toEqual([])
  for (let i = 110; i <= 112; i++) carry(`p${i}`, large)
  expect(stored(db)[0]).toMatchObject({ name: 'waits' })
  // The rows of the columns and of the large parcels.
  expect(journaled()).toBeLessThan(45)
  db.close()
})

test('rows that are written at each commit need no journal, and a rollback restores them', async () => {
  const file = join(await folder(), 'world.db')
  const { db } = open({ file })
  db.exec('CREATE TABLE counts (seq INTEGER PRIMARY KEY, total INTEGER NOT NULL) STRICT')
  const counts = db.hotRows<{ seq: number; total: number }>({
    table: 'counts',
    columns: ['seq', 'total'],
    bytes: 100,
    isSettled: () => true,
    isWrittenAtCommit: true,
  })
  const more = () => counts.change(1, ({ total }) => ({ total: total + 1 }))
  const inTable = () => db.prepareDirect('SELECT total FROM counts').all()
  db.begin()
  counts.add({ seq: counts.nextKey(), total: 0 })
  for (let i = 0; i < 3; i++) more()
  expect(inTable()).toEqual([])
  db.commit()
  expect(inTable()).toEqual([{ total: 3 }])
  db.begin()
  more()
  expect(counts.get(1)).toEqual({ seq: 1, total: 4 })
  db.rollback()
  expect(counts.get(1)).toEqual({ seq: 1, total: 3 })
  expect(afterKill(file)).toEqual([])
  db.close()
})

test('a row with other columns, or in another order, is refused', () => {
  const { db, parcels } = open()
  db.begin()
  expect(() => parcels.add({ name: 'a', seq: 1, place: 'depot', note: null })).toThrow('other columns')
  db.rollback()
})

test('many settled rows are written, the oldest first', () => {
  const { db, parcels } = open()
  db.begin()
  for (let i = 1; i <= 8_500; i++) add(parcels, { ...parcel(`p${i}`), place: 'home' })
  add(parcels, parcel('last'))
  db.commit()
  expect(stored(db).map(({ seq }) => seq)).toEqual(Array.from({ length: 512 }, (_, i) => i + 1))
  db.close()
})

/** Every nth number of a range. */
const every = (n: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from + 1) / n) }, (_, i) => from + i * n)

/** Adds 12,000 rows. Returns a function that settles some of them, and gives the keys of those that were written by then. */
function manyRows() {
  const { db, parcels } = open()
  db.begin()
  for (const key of every(1, 1, 12_000)) add(parcels, parcel(`p${key}`))
  db.commit()
  onTestFinished(() => db.close())
  return (keys: readonly number[]) => {
    db.begin()
    for (const key of keys) parcels.change(key, () => ({ place: 'home' }))
    db.commit()
    return stored(db).map(({ seq }) => seq)
  }
}

test('of many settled rows, the next ones are written, so that neighbours share pages', () => {
  const settle = manyRows()
  const first = every(2, 1, 511)
  expect(settle([...every(2, 1, 1_023), ...every(1, 4_001, 11_680)])).toEqual(first)
  // Those between the first ones come later, with others of the same pages.
  expect(settle([...every(2, 2, 510), 12_000])).toEqual([...first, ...every(2, 513, 1_023)])
})

test('where few rows are settled, the oldest ones are next', () => {
  const settle = manyRows()
  const first = every(2, 1, 511)
  const few = every(8, 513, 4_000)
  expect(settle([...first, ...few, ...every(1, 4_001, 12_000)])).toEqual([...first, ...few.slice(0, 256)])
  expect(settle(every(2, 2, 512)).slice(0, 512)).toEqual(every(1, 1, 512))
})

test('a process keeps the rows of all its worlds within the memory limit', () => {
  const [one, other] = [open(), open()]
  const fill = ({ db, parcels }: typeof one, from: number, count: number) => {
    db.begin()
    for (let i = from; i < from + count; i++) add(parcels, parcel(`p${i}`))
    db.commit()
  }
  fill(one, 0, 30_000)
  expect(stored(one.db)).toEqual([])
  fill(other, 0, 12_000)
  expect(stored(other.db)).toHaveLength(2_048)
  for (const { db } of [one, other]) db.close()
  const third = open()
  fill(third, 0, 30_000)
  expect(stored(third.db)).toEqual([])
})

/** One step of a history. */
const step = fc.oneof(
  fc.record({ does: fc.constant('add' as const), name: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    does: fc.constant('change' as const),
    key: fc.integer({ min: 1, max: 4 }),
    place: fc.constantFrom('van', 'home'),
  }),
  fc.record({ does: fc.constant('note' as const), key: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constant('rename' as const), key: fc.integer({ min: 1, max: 4 }), isNamed: fc.boolean() }),
  fc.record({ does: fc.constant('remove' as const), key: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constantFrom('read' as const, 'commit' as const, 'rollback' as const, 'savepoint' as const) }),
  fc.record({ does: fc.constantFrom('rollbackTo' as const, 'release' as const, 'kill' as const, 'clear' as const) }),
)

test('in every history, statements see the same rows as in a plain table, even after a kill', async () => {
  const path = await folder()
  let histories = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      const file = join(path, `${histories++}.db`)
      const { db, parcels } = open({ file, isReplica: true })
      let model = new Map<number, Parcel>()
      let committed = new Map(model)
      let saved: typeof model | undefined
      let renamed = 0
      const rows = (of: typeof model) => [...of.values()].sort((a, b) => a.seq - b.seq)
      db.begin()
      for (const one of steps)
        if (one.does === 'add') {
          const name = `p${one.name}`
          if ([...model.values()].some((row) => row.name === name)) continue
          const seq = add(parcels, parcel(name))
          expect(model.has(seq)).toBe(false)
          model.set(seq, { ...parcel(name), seq })
        } else if (one.does === 'change' || one.does === 'note') {
          const changes = one.does === 'change' ? { place: one.place } : { note: 'fragile' }
          const row = model.get(one.key)
          if (row?.name != null && one.does === 'note') expect(parcels.findToChange(row.name)).toEqual(row)
          expect(parcels.change(one.key, () => changes)).toBe(row !== undefined)
          if (row) model.set(one.key, { ...row, ...changes })
        } else if (one.does === 'remove') expect(parcels.remove(one.key)).toBe(model.delete(one.key))
        else if (one.does === 'rename') {
          const row = model.get(one.key)
          const name = one.isNamed ? `renamed ${renamed++}` : null
          expect(parcels.change(one.key, () => ({ name }))).toBe(row !== undefined)
          if (!row) continue
          model.set(one.key, { ...row, name })
          if (row.name !== null) expect(parcels.find(row.name)).toBeUndefined()
        } else if (one.does === 'clear') {
          parcels.clear()
          model.clear()
        } else if (one.does === 'read') expect(read(db)).toEqual(rows(model))
        else if (one.does === 'savepoint') {
          if (saved) continue
          db.savepoint()
          saved = new Map(model)
        } else if (one.does === 'rollbackTo' || one.does === 'release') {
          if (!saved) continue
          if (one.does === 'release') db.release()
          else {
            db.rollbackTo()
            model = saved
          }
          saved = undefined
        } else if (one.does === 'kill') expect(afterKill(file)).toEqual(rows(committed))
        else {
          if (one.does === 'commit') db.commit()
          else {
            db.rollback()
            model = committed
          }
          saved = undefined
          committed = new Map(model)
          model = new Map(model)
          db.begin()
        }
      expect(afterKill(file)).toEqual(rows(committed))
      db.commit()
      for (const row of rows(model)) if (row.name !== null) expect(parcels.find(row.name)).toEqual(row)
      expect(afterKill(file)).toEqual(rows(model))
      db.close()
      expect(afterKill(file)).toEqual(rows(model))
    }),
    { numRuns: 150 },
  )
})
