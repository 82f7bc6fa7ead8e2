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
  total: number | undefined
  error: Error | undefined
  at: (index: number) => MessageAnswer | undefined
  /** Sets the visible rows, which are then loaded. */
  see: (from: number, to: number) => void
}

/**
 * A list of any length, loaded in chunks as they become visible: 100,000 messages cost as much as the visible ones.
 * `moved` gets the number of rows added at the top.
 */
export function useChunks(query: Readonly<Record<string, string>>, moved: (rows: number) => void): Chunks {
  const key = `${namespace.value} ${JSON.stringify(query)}`
  const held = useRef({
    key,
    pieces: new Map<number, MessageAnswer[]>(),
    asked: new Set<number>(),
    seen: [0, 0] as [number, number],
    total: 0,
  })
  const [, redraw] = useState(0)
  const [state, setState] = useState<{ total?: number; error?: Error }>({})
  if (held.current.key !== key) held.current = { key, pieces: new Map(), asked: new Set(), seen: [0, 0], total: 0 }

  const read = useCallback(
    async (piece: number, isAgain = false) => {
      const mine = held.current
      if (mine.asked.has(piece) && !isAgain) return
      mine.asked.add(piece)
      try {
        const { messages, total } = await call('messages', 'search', {
          ...query,
          limit: CHUNK_SIZE,
          offset: piece * CHUNK_SIZE,
        })
        if (held.current !== mine) return
        mine.pieces.set(piece, messages)
        if (isAgain && mine.total > 0 && total > mine.total) moved(total - mine.total)
        mine.total = total
        setState({ total })
      } catch (error) {
        if (held.current === mine) setState({ error: error as Error })
      }
      redraw((n) => n + 1)
    },
    [key],
  )

  useEffect(() => {
    let cancel: (() => void) | undefined
    const again = async () => {
      cancel = undefined
      const { pieces, asked, seen } = held.current
      const inSight = piecesOf(seen)
      for (const piece of pieces.keys()) {
        if (inSight.includes(piece)) continue
        pieces.delete(piece)
        asked.delete(piece)
      }
      for (const piece of inSight) await read(piece, true)
    }
    const stop = onEvent(() => {
      cancel ??= later(SPACING_MS, again)
    })
    void read(0)
    return () => {
      stop()
      cancel?.()
    }
  }, [read])

  const see = useCallback(
    (from: number, to: number) => {
      held.current.seen = [from, to]
      for (const piece of piecesOf([from, to])) void read(piece)
    },
    [read],
  )
  const at = (index: number) => held.current.pieces.get(Math.floor(index / CHUNK_SIZE))?.[index % CHUNK_SIZE]
  return { total: state.total, error: state.error, at, see }
}

function piecesOf([from, to]: readonly [number, number]): number[] {
  const first = Math.floor(from / CHUNK_SIZE)
  return Array.from({ length: Math.floor(to / CHUNK_SIZE) - first + 1 }, (_, i) => first + i)
}
