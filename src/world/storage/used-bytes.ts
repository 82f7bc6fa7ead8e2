import type { Database } from './database.ts'

/** Leaves out empty pages, whose number depends on earlier deletions. */
export function usedBytes(db: Database): number {
  const [pages, empty, size] = ['page_count', 'freelist_count', 'page_size'].map((name) => Number(db.pragma(name)))
  return (pages! - empty!) * size!
}
