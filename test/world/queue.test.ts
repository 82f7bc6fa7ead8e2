import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { DueQueue } from '../../src/world/time/due-queue.ts'
import { Heap } from '../../src/world/time/heap.ts'
import { Lane, timerStore, timersSchema } from '../../src/world/time/timer-store.ts'

/** A timer table and its queue, as in a world. */
function timetable() {
  const db = openDatabase({ memory: true })
  db.exec(timersSchema)
  const timers = timerStore(db)
  const queue = new DueQueue(timers)
  const add = (due_at: number, lane: number = Lane.local) => {
    const id = timers.insert({ due_at, kind: 'test', subject: `due at ${due_at}`, payload: null }, lane)
    if (lane === Lane.local) queue.add(due_at, id)
    return id
  }
  const cancel = (id: number) => void timers.remove(id)
  const take = () => {
    const row = queue.peek()
    if (row) queue.remove(row)
    return row?.due_at
  }
  /** Runs work and rolls it back. */
  const undo = (work: () => void) => {
    db.begin()
    work()
    db.rollback()
    queue.rolledBack()
  }
  const all = () => Array.from({ length: 20 }, take).filter((dueAt) => dueAt !== undefined)
  return { db, queue, add, cancel, take, undo, all }
}

test('a heap returns its entries by due time, then by id', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(5), fc.constant('take' as const)), { maxLength: 200 }), (steps) => {
      const heap = new Heap()
      const model: [number, number][] = []
      for (const [id, step] of steps.entries()) {
        if (step === 'take') heap.pop()
        else heap.push(step, id)
        if (step === 'take') model.shift()
        else model.push([step, id])
        model.sort(([a, i], [b, j]) => a - b || i - j)
        expect([heap.dueAt, heap.id, heap.size]).toEqual([model[0]?.[0], model[0]?.[1], model.length])
      }
    }),
  )
})

test('work runs in the order of due time, not of addition', () => {
  const { add, all } = timetable()
  for (const dueAt of [300, 100, 200, 100]) add(dueAt)
  expect(all()).toEqual([100, 100, 200, 300])
})

test('existing local work is read from the table, network work is not', () => {
  const { db, add } = timetable()
  for (const dueAt of [300, 100]) add(dueAt)
  add(50, Lane.network)
  const queue = new DueQueue(timerStore(db))
  expect(queue.peek()?.due_at).toBe(100)
})

test('cancelled work is skipped', () => {
  const { add, cancel, all } = timetable()
  const first = add(100)
  add(200)
  cancel(first)
  expect(all()).toEqual([200])
})

test('rolled-back work does not hide later work, which gets another id', () => {
  const { add, undo, all } = timetable()
  let undone = 0
  undo(() => {
    undone = add(100)
  })
  expect(add(300)).toBeGreaterThan(undone)
  add(200)
  expect(all()).toEqual([200, 300])
})

test('finished work is due again after a rollback', () => {
  const { add, take, undo, all } = timetable()
  add(100)
  add(200)
  undo(() => expect([take(), take(), take()]).toEqual([100, 200, undefined]))
  expect(all()).toEqual([100, 200])
})

test('work whose cancellation is rolled back is still due', () => {
  const { add, cancel, take, undo, all } = timetable()
  const first = add(100)
  add(200)
  undo(() => {
    cancel(first)
    expect(take()).toBe(200)
  })
  expect(all()).toEqual([100, 200])
})

test('work whose addition is rolled back is not due', () => {
  const { add, take, undo, all } = timetable()
  add(200)
  undo(() => {
    add(100)
    expect(take()).toBe(100)
  })
  expect(all()).toEqual([200])
})

test('a queue that was read in a rolled-back transaction is read again', () => {
  const { db, add } = timetable()
  const id = add(100)
  const queue = new DueQueue(timerStore(db))
  db.begin()
  timerStore(db).remove(id)
  expect(queue.peek()).toBeUndefined()
  db.rollback()
  queue.rolledBack()
  expect(queue.peek()?.due_at).toBe(100)
})

test('committed work does not return when a later transaction is rolled back', () => {
  const { queue, add, take, undo, all } = timetable()
  add(100)
  add(200)
  take()
  queue.committed()
  undo(() => {})
  expect(all()).toEqual([200])
})

test('remaining work is found after very many others were cancelled', () => {
  const { queue, add, cancel, all } = timetable()
  add(100)
  queue.peek()
  for (let i = 0; i < 12_000; i++) cancel(add(50))
  queue.committed()
  expect(all()).toEqual([100])
})
