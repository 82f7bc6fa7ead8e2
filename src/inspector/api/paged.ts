import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
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

type KeyOf<T> = (row: T) => string | number

export interface PagedRead<T> extends Read<PagePart<T>> {
  rows: readonly T[]
  keyOf: KeyOf<T>
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

/** Both parts as one; a list that moves between two reads has some rows in both. */
function joined<T>(part: PagePart<T>, older: PagePart<T>, keyOf: KeyOf<T>): PagePart<T> {
  const keys = new Set(part.rows.map(keyOf))
  return { ...part, rows: [...part.rows, ...older.rows.filter((row) => !keys.has(keyOf(row)))], next: older.next }
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
  readPage: (from: string | undefined) => Promise<PagePart<T>>,
  keyOf: KeyOf<T>,
  { isLog = false, ...options }: Parameters<typeof useRead>[2] & { isLog?: boolean } = {},
): PagedRead<T> {
  const wanted = useRef({ key, pages: 1 })
  if (wanted.current.key !== key) wanted.current = { key, pages: 1 }
  const mine = wanted.current
  const read = useRead(
    key,
    async () => {
      const { pages } = mine
      let part = await readPage(undefined)
      for (let i = 1; i < pages && part.next !== undefined; i++) part = joined(part, await readPage(part.next), keyOf)
      return { part, pages }
    },
    options,
  )
  const box = useRef<HTMLElement>(null)
  const [, redraw] = useState(0)
  const held = useRef<{ key: string; part: PagePart<T> } | undefined>(undefined)
  const fresh = read.value?.part
  const isAwayFromTop = isLog && isAway(box.current)
  // A page that was just loaded is not yet among those that were read again.
  const isStill = held.current?.key === key && (isAwayFromTop || (read.value?.pages ?? 0) < mine.pages)
  const { part, newer } = fresh && isStill ? stillPart(held.current!.part, fresh, keyOf) : { part: fresh, newer: 0 }
  held.current = part && { key, part }
  const [isLoading, setLoading] = useState(false)
  const rows = part?.rows ?? []
  const next = part?.next
  const loadMore = async () => {
    if (isLoading || next === undefined) return
    setLoading(true)
    try {
      const older = await readPage(next)
      if (wanted.current !== mine || !held.current) return
      mine.pages++
      held.current = { key, part: joined(held.current.part, older, keyOf) }
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
    loadMore: () => void loadMore(),
    box,
    newer: isAwayFromTop ? newer : 0,
    catchUp,
  }
}

/** Whether the beginning of a table is above what is in view, by more than a fraction of a pixel. */
const isAway = (table: HTMLElement | null) =>
  table !== null && table.getBoundingClientRect().top + 1 < document.getElementById('main')!.getBoundingClientRect().top
