import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Read, useRead } from './read.ts'

export interface PagePart<T> {
  rows: readonly T[]
  /** Number of rows on all pages, if the server counts them. */
  total?: number | undefined
  /** Start of the next page; undefined on the last one. */
  next: string | undefined
}

/** Reads pages by offset of a list that counts its rows; `name` is the field of an answer with the rows. */
export const pagesOf =
  <Name extends string, T>(
    name: Name,
    limit: number,
    read: (page: { limit: number; offset: number }) => Promise<Record<Name, readonly T[]> & { total: number }>,
  ) =>
  async (from: string | undefined): Promise<PagePart<T>> => {
    const offset = Number(from ?? 0)
    const { [name]: rows, total } = await read({ limit, offset })
    return { rows, total, next: offset + limit < total ? String(offset + limit) : undefined }
  }

/** Reads pages by cursor of a list that may not count its rows. */
export const cursorPagesOf =
  <T>(
    read: (cursor: { cursor?: string }) => Promise<{ data: readonly T[]; next_cursor: string | null; total?: number }>,
  ) =>
  async (from: string | undefined): Promise<PagePart<T>> => {
    const { data, next_cursor, total } = await read(from === undefined ? {} : { cursor: from })
    return { rows: data, total, next: next_cursor ?? undefined }
  }

export interface PagedRead<T> extends Read<PagePart<T>> {
  rows: readonly T[]
  keyOf: (row: T) => string | number
  total: number | undefined
  hasMore: boolean
  isLoading: boolean
  loadMore: () => void
  /** The table of the list, by which a log knows whether its reader is further down. */
  box: RefObject<HTMLElement | null>
  /** Number of newer rows that a reader further down does not see yet. */
  newer: number
  /** Goes to the newer rows. */
  catchUp: () => void
}

/**
 * A log for a reader further down: no row moves, rows that were read again have their current values, and newer ones are
 * counted. A log that has become shorter, such as after a reset, shows what is left.
 */
export function stillPart<T>(
  shown: PagePart<T>,
  fresh: PagePart<T>,
  keyOf: (row: T) => string | number,
): { part: PagePart<T>; newer: number } {
  const current = new Map(fresh.rows.map((row) => [keyOf(row), row]))
  if (fresh.next === undefined && !shown.rows.every((row) => current.has(keyOf(row)))) return { part: fresh, newer: 0 }
  const before = new Set(shown.rows.map(keyOf))
  const unseen = fresh.rows.filter((row) => !before.has(keyOf(row))).length
  return {
    part: { ...shown, rows: shown.rows.map((row) => current.get(keyOf(row)) ?? row) },
    // More than a page may be new.
    newer: Math.max(unseen, (fresh.total ?? 0) - (shown.total ?? 0)),
  }
}

/** Reads a list page by page: the first page stays current, older ones are read on demand. */
export function usePaged<T>(
  key: string,
  readPage: (from: string | undefined) => Promise<PagePart<T>>,
  keyOf: (row: T) => string | number,
  { isLog = false, ...options }: Parameters<typeof useRead>[2] & { isLog?: boolean } = {},
): PagedRead<T> {
  const read = useRead(key, () => readPage(undefined), options)
  const box = useRef<HTMLElement>(null)
  const [, redraw] = useState(0)
  const held = useRef<{ key: string; part: PagePart<T> } | undefined>(undefined)
  const isStill = isLog && held.current?.key === key && isAway(box.current)
  const { part, newer } =
    read.value && isStill ? stillPart(held.current!.part, read.value, keyOf) : { part: read.value, newer: 0 }
  held.current = part && { key, part }
  const [loaded, setLoaded] = useState<{ rows: readonly T[]; next: string | undefined }>()
  const [isLoading, setLoading] = useState(false)
  useEffect(() => setLoaded(undefined), [key])
  const rows = part?.rows ?? []
  const loadedKeys = new Set(loaded?.rows.map(keyOf))
  // Where more than a page is new, rows between would be missing.
  const older = rows.some((row) => loadedKeys.has(keyOf(row))) ? loaded : undefined
  const seen = new Set(rows.map(keyOf))
  const all = [...rows, ...(older?.rows ?? []).filter((row) => !seen.has(keyOf(row)))]
  const next = older ? older.next : part?.next
  const loadMore = async () => {
    if (isLoading || next === undefined) return
    setLoading(true)
    try {
      const page = await readPage(next)
      const keys = new Set(all.map(keyOf))
      setLoaded({ rows: [...all, ...page.rows.filter((row) => !keys.has(keyOf(row)))], next: page.next })
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
    rows: all,
    keyOf,
    // A list that has been read to its end is counted by its rows.
    total: read.value?.total ?? (next === undefined ? all.length : undefined),
    hasMore: next !== undefined,
    isLoading,
    loadMore: () => void loadMore(),
    box,
    newer,
    catchUp,
  }
}

/** Whether the beginning of a table is above what is in view, by more than a fraction of a pixel. */
const isAway = (table: HTMLElement | null) =>
  table !== null && table.getBoundingClientRect().top + 1 < document.getElementById('main')!.getBoundingClientRect().top
