import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { onEvent } from '../api/live.ts'
import { namespace } from '../api/namespace.ts'
import { QUIET_MS } from '../api/read.ts'
import { every, later } from '../api/time.ts'

const CHUNK_SIZE = 100
/** Messages per read: new ones move the rows meanwhile. */
const READ_SIZE = 200
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
  /** The number of messages that came during the last read; about as many will come during the next one. */
  drift: number
  /** Numbers of the reads that were made, and of the last one whose answer counted. */
  turn: { last: number; counted: number }
  isFilling: boolean
}

/** `moved`: more rows came meanwhile than the answer has room for. */
type Outcome = 'read' | 'moved' | 'refused'

const nothing = (key: string): Held => ({
  key,
  pieces: new Map(),
  requested: new Set(),
  seen: [0, 0],
  total: undefined,
  newer: 0,
  drift: 0,
  turn: { last: 0, counted: 0 },
  isFilling: false,
})

/** Where to read a chunk that begins at a row, so that it is in the answer although rows move meanwhile. */
export const offsetFor = (row: number, newer: number, drift: number) =>
  row + newer + Math.max(0, drift - (READ_SIZE - CHUNK_SIZE) / 2)

/** The chunk in an answer whose first message is now at the row `start`; undefined if a part of it is missing. */
export function chunkIn<T>(rows: readonly T[], start: number, row: number, total: number): readonly T[] | undefined {
  const chunk = start <= row ? rows.slice(row - start, row - start + CHUNK_SIZE) : []
  return chunk.length === CHUNK_SIZE || row + chunk.length >= total ? chunk : undefined
}

/**
 * A list of any length, loaded in chunks as they become visible: 100,000 messages cost as much as the visible ones.
 * While `isAway`, newer messages move no row.
 */
export function useChunks(query: Readonly<Record<string, string>>, isAway: () => boolean): Chunks {
  const key = `${namespace.value} ${JSON.stringify(query)}`
  const held = useRef(nothing(key))
  const [, redraw] = useState(0)
  const [error, setError] = useState<Error>()
  if (held.current.key !== key) held.current = nothing(key)
  const isStill = useRef(isAway)
  isStill.current = isAway
  // A timer of the query before may run between this render and its effects: its rows must not get into these.
  const mine = held.current

  const read = useCallback(
    async (piece: number): Promise<Outcome> => {
      mine.requested.add(piece)
      let outcome: Outcome = 'read'
      try {
        const { newer } = mine
        const turn = ++mine.turn.last
        const row = piece * CHUNK_SIZE
        const offset = offsetFor(row, newer, mine.drift)
        const { messages, total } = await call('messages', 'search', { ...query, limit: READ_SIZE, offset })
        if (held.current !== mine) return outcome
        const added = mine.total === undefined || turn < mine.turn.counted ? 0 : total - mine.total - mine.newer
        mine.turn.counted = Math.max(turn, mine.turn.counted)
        // What has left the list, such as after a reset, may be newer than what is shown.
        if (added < 0) mine.newer = Math.max(0, mine.newer + added)
        if (added > 0 && isStill.current()) mine.newer += added
        else if (added !== 0) mine.total = total - mine.newer
        mine.total ??= total
        mine.drift = Math.max(0, mine.newer - newer)
        const chunk = chunkIn(messages, offset - (total - mine.total), row, mine.total)
        if (chunk) mine.pieces.set(piece, chunk)
        else outcome = 'moved'
        setError(undefined)
      } catch (failure) {
        outcome = 'refused'
        if (held.current === mine) setError(failure as Error)
      }
      if (outcome !== 'read') mine.requested.delete(piece)
      redraw((n) => n + 1)
      return outcome
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
    return await Promise.all(visible.map(read))
  }, [read])

  // One piece at a time: while a reader scrolls fast, what is already out of sight is never requested.
  const fill = useCallback(async () => {
    if (mine.isFilling) return
    mine.isFilling = true
    for (let piece = missing(mine); piece !== undefined; piece = missing(mine)) {
      const outcome = await read(piece)
      if (outcome === 'moved') await new Promise<void>((go) => void later(SPACING_MS, go))
      if (outcome === 'refused' || held.current !== mine) break
    }
    mine.isFilling = false
  }, [read])

  useEffect(() => {
    let cancel: (() => void) | undefined
    let isWanted = false
    // A server that is slow to answer gets no further reads meanwhile.
    const refreshSoon = () => {
      isWanted = cancel !== undefined
      cancel ??= later(SPACING_MS, async () => {
        const outcomes = await refresh()
        cancel = undefined
        if ((isWanted || outcomes.includes('moved')) && !isOver) refreshSoon()
      })
    }
    let isOver = false
    const stops = [onEvent(refreshSoon), every(QUIET_MS, refreshSoon)]
    void fill()
    return () => {
      isOver = true
      for (const stop of stops) stop()
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
