import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { usePointed } from './pointed.ts'
import { type Read, useRead } from './read.ts'

/** Where a page starts: after the last row of the one before. */
export interface PageStart {
  cursor: string | undefined
  offset: number
}

export interface PagePart<T> {
  rows: readonly T[]
  /** Number of rows on all pages, if the server counts them. */
  total?: number | undefined
  /** Cursor of the next page; undefined on the last one. */
  next: string | undefined
}

/** Reads pages by offset of a list that counts its rows; `name` is the field of an answer with the rows. */
export const pagesOf =
  <Name extends string, T>(
    name: Name,
    limit: number,
    read: (page: { limit: number; offset: number }) => Promise<Record<Name, readonly T[]> & { total: number }>,
  ) =>
  async ({ offset }: PageStart): Promise<PagePart<T>> => {
    const { [name]: rows, total } = await read({ limit, offset })
    return { rows, total, next: offset + limit < total ? String(offset + limit) : undefined }
  }

/** Reads pages by cursor of a list that may not count its rows. */
export const cursorPagesOf =
  <T>(
    read: (cursor: { cursor?: string }) => Promise<{ data: readonly T[]; next_cursor: string | null; total?: number }>,
  ) =>
  async ({ cursor }: PageStart): Promise<PagePart<T>> => {
    const { data, next_cursor, total } = await read(cursor === undefined ? {} : { cursor })
    return { rows: data, total, next: next_cursor ?? undefined }
  }

type KeyOf<T> = (row: T) => string | number

export interface PagedRead<T> extends Read<PagePart<T>> {
  rows: readonly T[]
  keyOf: KeyOf<T>
  total: number | undefined
  hasMore: boolean
  isLoading: boolean
  /** Why the last attempt to load more has failed. */
  loadError: Error | undefined
  loadMore: () => void
  /** The table of the list, by which a log knows whether its reader is further down. */
  box: RefObject<HTMLElement | null>
  /** Number of newer rows that a reader further down does not see yet. */
  newer: number
  /** Goes to the newer rows. */
  catchUp: () => void
}

/** Pages as one; a list that moves between two reads has some rows in both. */
function joined<T>(parts: readonly PagePart<T>[], keyOf: KeyOf<T>): PagePart<T> {
  const rows = new Map(parts.flatMap((part) => part.rows).map((row) => [keyOf(row), row]))
  return { ...parts[0], rows: [...rows.values()], next: parts.at(-1)?.next }
}

type ReadPage<T> = (start: PageStart) => Promise<PagePart<T>>

const startAfter = <T>(parts: readonly PagePart<T>[]): PageStart => ({
  cursor: parts.at(-1)?.next,
  offset: parts.reduce((sum, { rows }) => sum + rows.length, 0),
})

/** Reads the first page and those in view again, and all pages if these show more than new rows at the beginning. */
export async function readAgain<T>(
  before: readonly PagePart<T>[],
  isInView: (row: T) => boolean,
  readPage: ReadPage<T>,
  keyOf: KeyOf<T>,
): Promise<PagePart<T>[]> {
  const first = await readPage(startAfter([]))
  const grown = await readGrown(before, first, isInView, readPage, keyOf)
  if (grown) return grown
  const parts = [first]
  while (parts.length < before.length && parts.at(-1)!.next !== undefined) parts.push(await readPage(startAfter(parts)))
  return parts
}

/** The pages of a list that has only grown at its beginning; otherwise undefined. */
async function readGrown<T>(
  [top, ...others]: readonly PagePart<T>[],
  first: PagePart<T>,
  isInView: (row: T) => boolean,
  readPage: ReadPage<T>,
  keyOf: KeyOf<T>,
): Promise<PagePart<T>[] | undefined> {
  if (!top || others.length === 0) return undefined
  const isSame = (some: readonly T[], same: readonly T[]) =>
    some.length === same.length && some.every((row, i) => keyOf(row) === keyOf(same[i]!))
  const added = first.rows.findIndex((row) => keyOf(row) === keyOf(top.rows[0]!))
  const kept = first.rows.length - added
  const pushedOut = top.rows.slice(kept)
  if (added === -1 || !isSame(first.rows.slice(added), top.rows.slice(0, kept))) return undefined
  // Rows that a page no longer has are not read again, so they must not be seen or become many.
  if (pushedOut.some(isInView) || pushedOut.length > first.rows.length) return undefined
  const parts: PagePart<T>[] = [{ ...first, rows: [...first.rows, ...pushedOut], next: top.next }]
  for (const part of others) {
    const fresh = part.rows.some(isInView) ? await readPage(startAfter(parts)) : part
    // A full log drops its oldest rows.
    const left = fresh.next === undefined ? part.rows.slice(0, fresh.rows.length) : part.rows
    if (!isSame(fresh.rows, left)) return undefined
    parts.push(fresh)
  }
  return startAfter(parts).offset > (first.total ?? Infinity) ? undefined : parts
}

/** The rows of a list at which somebody points: none moves. A list without any of them has been replaced. */
function heldPart<T>(shown: PagePart<T>, fresh: PagePart<T>, keyOf: KeyOf<T>) {
  const current = new Map(fresh.rows.map((row) => [keyOf(row), row]))
  const held = new Set(shown.rows.map(keyOf))
  const rows = shown.rows.map((row) => current.get(keyOf(row)) ?? row)
  return shown.rows.some((row) => current.has(keyOf(row)))
    ? { part: { ...shown, rows }, newer: fresh.rows.filter((row) => !held.has(keyOf(row))).length }
    : { part: fresh, newer: 0 }
}

/**
 * A log for a reader further down: no row moves, rows that were read again have their current values, and newer ones are
 * counted. A log that has become shorter, such as after a reset or a restore, shows what is left.
 */
export function stillPart<T>(
  shown: PagePart<T>,
  fresh: PagePart<T>,
  keyOf: KeyOf<T>,
): { part: PagePart<T>; newer: number } {
  const current = new Map(fresh.rows.map((row) => [keyOf(row), row]))
  const lastRead = shown.rows.findLastIndex((row) => current.has(keyOf(row)))
  const isReplaced =
    fresh.next === undefined
      ? !shown.rows.every((row) => current.has(keyOf(row)))
      : lastRead === -1 && (fresh.total ?? 0) < (shown.total ?? 0)
  if (isReplaced) return { part: fresh, newer: 0 }
  // What was not read again among the rows that were has left the list.
  const rows = shown.rows.filter((row, i) => i > lastRead || current.has(keyOf(row)))
  const total = shown.total && shown.total - (shown.rows.length - rows.length)
  const before = new Set(rows.map(keyOf))
  const unseen = fresh.rows.findIndex((row) => before.has(keyOf(row)))
  return {
    part: { rows: rows.map((row) => current.get(keyOf(row)) ?? row), total, next: shown.next },
    // More than a page may be new.
    newer: Math.max(unseen === -1 ? fresh.rows.length : unseen, (fresh.total ?? 0) - (total ?? 0)),
  }
}

/** Reads a list page by page. All pages that were loaded stay current. */
export function usePaged<T>(
  key: string,
  readPage: ReadPage<T>,
  keyOf: KeyOf<T>,
  { isLog = false, ...options }: Parameters<typeof useRead>[2] & { isLog?: boolean } = {},
): PagedRead<T> {
  const wanted = useRef<{ key: string; parts: PagePart<T>[] }>({ key, parts: [] })
  if (wanted.current.key !== key) wanted.current = { key, parts: [] }
  const mine = wanted.current
  const box = useRef<HTMLElement>(null)
  const held = useRef<{ key: string; part: PagePart<T> } | undefined>(undefined)
  const read = useRead(
    key,
    async () => {
      const inView = rowsInView(box.current, held.current?.part.rows.map(keyOf) ?? [])
      const parts = await readAgain(mine.parts, (row) => inView?.has(keyOf(row)) ?? true, readPage, keyOf)
      const isWhole = parts.at(-1)!.next === undefined
      // Another page may have been loaded meanwhile.
      mine.parts = isWhole ? parts : [...parts, ...mine.parts.slice(parts.length)]
      return parts
    },
    options,
  )
  const [, redraw] = useState(0)
  const fresh = read.value && joined(mine.parts, keyOf)
  const isPointed = usePointed(box)
  const isStill = isPointed || (isLog && isAway(box.current))
  const merged = isPointed ? heldPart : stillPart
  const { part, newer } =
    fresh && isStill && held.current?.key === key ? merged(held.current.part, fresh, keyOf) : { part: fresh, newer: 0 }
  held.current = part && { key, part }
  const [isLoading, setLoading] = useState(false)
  const [failed, setFailed] = useState<{ key: string; error: Error }>()
  const rows = part?.rows ?? []
  const next = part?.next
  const loadMore = async () => {
    if (isLoading || next === undefined) return
    setLoading(true)
    setFailed(undefined)
    try {
      const older = await readPage(startAfter(mine.parts))
      if (wanted.current !== mine || !held.current) return
      mine.parts = [...mine.parts, older]
      held.current = { key, part: joined([held.current.part, older], keyOf) }
    } catch (error) {
      setFailed({ key, error: error as Error })
    } finally {
      setLoading(false)
    }
  }
  const catchUp = () => {
    box.current?.scrollIntoView({ block: 'start' })
    held.current = undefined
    redraw((n) => n + 1)
  }
  return {
    ...read,
    value: part,
    rows,
    keyOf,
    // A list that has been read to its end is counted by its rows.
    total: fresh?.total ?? (next === undefined ? rows.length : undefined),
    hasMore: next !== undefined,
    isLoading,
    loadError: failed?.key === key ? failed.error : undefined,
    loadMore: () => void loadMore(),
    box,
    newer: isStill ? newer : 0,
    catchUp,
  }
}

/** The keys of the rows that are in view; undefined if the list has no box. */
function rowsInView<K>(box: HTMLElement | null, keys: readonly K[]): ReadonlySet<K> | undefined {
  if (!box) return undefined
  const { top, bottom } = document.getElementById('main')!.getBoundingClientRect()
  const isInView = (row: Element | undefined) => {
    const { top: upper, bottom: lower } = row?.getBoundingClientRect() ?? { top, bottom }
    return lower >= top && upper <= bottom
  }
  const rows = box.querySelectorAll('tbody tr, li')
  return new Set(keys.filter((_, i) => isInView(rows[i])))
}

/** Whether the beginning of a table is above what is in view, by more than a fraction of a pixel. */
const isAway = (table: HTMLElement | null) =>
  table !== null && table.getBoundingClientRect().top + 1 < document.getElementById('main')!.getBoundingClientRect().top
