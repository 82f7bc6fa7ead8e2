import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { PageQuery, pageOf, windowOf } from '../../src/words/page.ts'
import { Problem } from '../../src/words/problem.ts'

const WORLD = { namespace: 'default' }
const Query = z.strictObject(PageQuery)
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ seq: count - i }))

/** The rows a store finds for a window: newest first, beyond the cursor. */
const found = (all: { seq: number }[], { limit, beyond, offset }: ReturnType<typeof windowOf>) =>
  all.filter(({ seq }) => beyond === null || seq < beyond).slice(offset, offset + limit)

test('a page holds 50 items by default, and one more is read to know whether there are more', () => {
  expect(windowOf(WORLD, 'things', {})).toEqual({ list: 'things default', limit: 51, beyond: null, offset: 0 })
  expect(windowOf(WORLD, 'things', { limit: 200, offset: 7 })).toEqual({
    list: 'things default',
    limit: 201,
    beyond: null,
    offset: 7,
  })
})

test('the last page has no cursor, also when it is exactly full', () => {
  expect(pageOf(rows(3), windowOf(WORLD, 'things', { limit: 3 }))).toEqual({
    items: rows(3),
    next_cursor: null,
    has_more: false,
  })
  expect(pageOf([], windowOf(WORLD, 'things', {}))).toEqual({ items: [], next_cursor: null, has_more: false })
})

test('following the cursors shows every item once, whatever the size of a page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (count, limit) => {
      const seen: number[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const window = windowOf(WORLD, 'things', { limit, cursor })
        const page = pageOf(found(rows(count), window), window)
        expect(page.has_more).toBe(page.next_cursor !== null)
        seen.push(...page.items.map(({ seq }) => seq))
        cursor = page.next_cursor
      }
      expect(seen).toEqual(rows(count).map(({ seq }) => seq))
    }),
  )
})

test('an item that is added during paging does not shift a page', () => {
  const window = windowOf(WORLD, 'things', { limit: 2 })
  const { next_cursor } = pageOf(found(rows(5), window), window)
  const next = windowOf(WORLD, 'things', { limit: 2, cursor: next_cursor! })
  expect(pageOf(found([{ seq: 6 }, ...rows(5)], next), next).items).toEqual([{ seq: 3 }, { seq: 2 }])
})

const first = windowOf(WORLD, 'things', { limit: 1 })
const cursor = pageOf(found(rows(2), first), first).next_cursor!

test.each([
  '',
  'nonsense',
  `${cursor}=`,
  ` ${cursor}`,
  `${cursor}!`,
  Buffer.from('things 1x').toString('base64url'),
  cursor.slice(1),
])('the cursor %j was never issued, and is refused', (wrong) => {
  const refusal = caught(() => windowOf(WORLD, 'things', { cursor: wrong }))
  expect(refusal.status).toBe(400)
  expect(refusal.details).toMatchObject([{ field: 'cursor', code: 'invalid_value' }])
})

test('a cursor that is cut off is refused, wherever the cut is', () => {
  const { next_cursor } = pageOf(found(rows(350), first), first)
  for (let end = 1; end < next_cursor!.length; end++)
    expect(() => windowOf(WORLD, 'things', { cursor: next_cursor!.slice(0, end) })).toThrow('not one that this list')
})

test('the cursor of another list or namespace is refused', () => {
  for (const [world, list] of [
    [WORLD, 'others'],
    [{ namespace: 'other' }, 'things'],
  ] as const)
    expect(caught(() => windowOf(world, list, { cursor })).details).toMatchObject([{ field: 'cursor' }])
})

test('cursor and offset exclude each other', () => {
  expect(caught(() => windowOf(WORLD, 'things', { cursor, offset: 1 })).details).toMatchObject([
    { field: 'offset', code: 'conflict' },
  ])
})

test.each([
  [{ limit: '1' }, { limit: 1 }],
  [
    { limit: '200', offset: '0' },
    { limit: 200, offset: 0 },
  ],
])('the query %j is read as %j', (query, read) => {
  expect(Query.parse(query)).toEqual(read)
})

test.each([
  { limit: '0' },
  { limit: '201' },
  { limit: '-1' },
  { limit: '1.5' },
  { limit: '1e2' },
  { limit: '' },
  { offset: '9'.repeat(40) },
])('the query %j is refused', (query) => {
  expect(Query.safeParse(query).error?.issues[0]?.path).toEqual(Object.keys(query))
})

function caught(work: () => unknown): Problem {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}
