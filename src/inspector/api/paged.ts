import { useEffect, useState } from 'preact/hooks'
import { type Read, useRead } from './read.ts'

export interface PagePart<T> {
  rows: readonly T[]
  /** Number of rows on all pages, if the server counts them. */
  total?: number | undefined
  /** Start of the next page; undefined on the last one. */
  next: string | undefined
}

/** Reads pages by offset of a list that counts its rows. */
export const pagesOf =
  <T>(
    limit: number,
    read: (page: { limit: number; offset: number }) => Promise<{ rows: readonly T[]; total: number }>,
  ) =>
  async (from: string | undefined): Promise<PagePart<T>> => {
    const offset = Number(from ?? 0)
    const { rows, total } = await read({ limit, offset })
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
}

/** Reads a list page by page: the first page stays current, older ones are read on demand. */
export function usePaged<T>(
  key: string,
  readPage: (from: string | undefined) => Promise<PagePart<T>>,
  keyOf: (row: T) => string | number,
  options: Parameters<typeof useRead>[2] = {},
): PagedRead<T> {
  const first = useRead(key, () => readPage(undefined), options)
  const [loaded, setLoaded] = useState<{ rows: readonly T[]; next: string | undefined }>()
  const [isLoading, setLoading] = useState(false)
  useEffect(() => setLoaded(undefined), [key])
  const rows = first.value?.rows ?? []
  const loadedKeys = new Set(loaded?.rows.map(keyOf))
  // Where more than a page is new, rows between would be missing.
  const older = rows.some((row) => loadedKeys.has(keyOf(row))) ? loaded : undefined
  const seen = new Set(rows.map(keyOf))
  const all = [...rows, ...(older?.rows ?? []).filter((row) => !seen.has(keyOf(row)))]
  const next = older ? older.next : first.value?.next
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
  return {
    ...first,
    rows: all,
    keyOf,
    // A list that has been read to its end is counted by its rows.
    total: first.value?.total ?? (next === undefined ? all.length : undefined),
    hasMore: next !== undefined,
    isLoading,
    loadMore: () => void loadMore(),
  }
}
