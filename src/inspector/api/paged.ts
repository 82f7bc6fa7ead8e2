import { useEffect, useState } from 'preact/hooks'
import { type Read, useRead } from './read.ts'

export interface PagePart<T> {
  rows: readonly T[]
  /** Number of rows on all pages, if the server counts them. */
  total?: number | undefined
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined
}

export interface PagedRead<T> extends Read<PagePart<T>> {
  rows: readonly T[]
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
  const [older, setOlder] = useState<{ rows: readonly T[]; next: string | undefined }>()
  const [isLoading, setLoading] = useState(false)
  useEffect(() => setOlder(undefined), [key])
  const rows = first.value?.rows ?? []
  const seen = new Set(rows.map(keyOf))
  const next = older ? older.next : first.value?.next
  const loadMore = async () => {
    if (isLoading || next === undefined) return
    setLoading(true)
    try {
      const page = await readPage(next)
      // Rows that new ones have pushed off the first page are kept.
      const kept = older?.rows ?? rows
      const keys = new Set(kept.map(keyOf))
      setOlder({ rows: [...kept, ...page.rows.filter((row) => !keys.has(keyOf(row)))], next: page.next })
    } finally {
      setLoading(false)
    }
  }
  return {
    ...first,
    rows: [...rows, ...(older?.rows ?? []).filter((row) => !seen.has(keyOf(row)))],
    total: first.value?.total,
    hasMore: next !== undefined,
    isLoading,
    loadMore: () => void loadMore(),
  }
}
