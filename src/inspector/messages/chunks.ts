import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { onEvent } from '../api/live.ts'
import { namespace } from '../api/namespace.ts'
import { later } from '../api/time.ts'

/** Messages per read. */
const CHUNK_SIZE = 100
/** The least time between reads of a changing list. */
const SPACING_MS = 300

export interface Chunks {
  /** Number of rows shown; undefined until the first read. */
  total: number | undefined
  /** Number of newer messages that a reader further down does not see yet. */
  newer: number
  error: Error | undefined
  at: (index: number) => MessageAnswer | undefined
  /** Sets the visible rows, which are then loaded. */
  see: (from: number, to: number) => void
  /** Shows the newer messages. */
  catchUp: () => void
}

interface Held {
  key: string
  pieces: Map<number, readonly MessageAnswer[]>
  requested: Set<number>
  seen: [from: number, to: number]
  total: number | undefined
  newer: number
  isFilling: boolean
}

const nothing = (key: string): Held => ({
  key,
  pieces: new Map(),
  requested: new Set(),
  seen: [0, 0],
  total: undefined,
  newer: 0,
  isFilling: false,
})

/**
 * A list of any length, loaded in chunks as they become visible: 100,000 messages cost as much as the visible ones.
 * While `isAway`, the reader is further down, and newer messages move no row.
 */
export function useChunks(query: Readonly<Record<string, string>>, isAway: () => boolean): Chunks {
  const key = `${namespace.value} ${JSON.stringify(query)}`
  const held = useRef(nothing(key))
  const [, redraw] = useState(0)
  const [error, setError] = useState<Error>()
  if (held.current.key !== key) held.current = nothing(key)
  // A timer of the query before may run between this render and its effects: its rows must not get into these.
  const mine = held.current

  const read = useCallback(
    async (piece: number): Promise<void> => {
      mine.requested.add(piece)
      try {
        const before = mine.newer
        const { messages, total } = await call('messages', 'search', {
          ...query,
          limit: CHUNK_SIZE,
          offset: piece * CHUNK_SIZE + before,
        })
        if (held.current !== mine) return
        const added = mine.total === undefined ? 0 : total - mine.total - mine.newer
        if (added > 0 && isAway()) mine.newer += added
        else if (added !== 0) mine.total = Math.max(0, total - mine.newer)
        mine.total ??= total
        // Messages that came while this was read have shifted the rows of the answer.
        if (mine.newer !== before) return await read(piece)
        mine.pieces.set(piece, messages)
        setError(undefined)
      } catch (failure) {
        mine.requested.delete(piece)
        if (held.current === mine) setError(failure as Error)
      }
      redraw((n) => n + 1)
    },
    [key],
  )

  const refresh = useCallback(async () => {
    const { pieces, requested, seen } = mine
    const visible = piecesOf(seen)
    for (const piece of pieces.keys()) {
      if (visible.includes(piece)) continue
      pieces.delete(piece)
      requested.delete(piece)
    }
    await Promise.all(visible.map(read))
  }, [read])

  // One piece at a time: while a reader scrolls fast, what is already out of sight is never requested.
  const fill = useCallback(async () => {
    if (mine.isFilling) return
    mine.isFilling = true
    for (let piece = missing(mine); piece !== undefined; piece = missing(mine)) {
      await read(piece)
      const isRefused = !mine.requested.has(piece)
      if (isRefused || held.current !== mine) break
    }
    mine.isFilling = false
  }, [read])

  useEffect(() => {
    let cancel: (() => void) | undefined
    const stop = onEvent(() => {
      cancel ??= later(SPACING_MS, () => {
        cancel = undefined
        void refresh()
      })
    })
    void fill()
    return () => {
      stop()
      cancel?.()
    }
  }, [fill, refresh])

  const see = useCallback(
    (from: number, to: number) => {
      mine.seen = [from, to]
      void fill()
    },
    [fill],
  )
  const catchUp = () => {
    if (mine.newer === 0) return
    mine.total = (mine.total ?? 0) + mine.newer
    mine.newer = 0
    mine.pieces.clear()
    mine.requested.clear()
    void refresh()
  }
  const at = (index: number) => mine.pieces.get(Math.floor(index / CHUNK_SIZE))?.[index % CHUNK_SIZE]
  return { total: mine.total, newer: mine.newer, error, at, see, catchUp }
}

const missing = ({ seen, requested }: Held) => piecesOf(seen).find((piece) => !requested.has(piece))

function piecesOf([from, to]: readonly [number, number]): number[] {
  const first = Math.floor(from / CHUNK_SIZE)
  return Array.from({ length: Math.floor(to / CHUNK_SIZE) - first + 1 }, (_, i) => first + i)
}
