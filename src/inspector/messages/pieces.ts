import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { onEvent } from '../api/live.ts'
import { namespace } from '../api/namespace.ts'
import { later } from '../api/time.ts'

/** How many messages are read at once. */
export const PIECE = 100
/** A list that changes is read again at most so often. */
const SPACING_MS = 300

export interface Pieces {
  total: number | undefined
  error: Error | undefined
  at: (index: number) => Message | undefined
  /** Says which rows are to be seen, so that they are read. */
  see: (from: number, to: number) => void
}

/**
 * A list of any length, read in pieces as they come into sight: 100,000 messages take as much as those that are seen.
 * `moved` is told by how many rows the list has grown at its top.
 */
export function usePieces(query: Readonly<Record<string, string>>, moved: (rows: number) => void): Pieces {
  const key = `${namespace.value} ${JSON.stringify(query)}`
  const held = useRef({
    key,
    pieces: new Map<number, Message[]>(),
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
        const { messages, total } = await call('messages', 'search', { ...query, limit: PIECE, offset: piece * PIECE })
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
  const at = (index: number) => held.current.pieces.get(Math.floor(index / PIECE))?.[index % PIECE]
  return { total: state.total, error: state.error, at, see }
}

function piecesOf([from, to]: readonly [number, number]): number[] {
  const first = Math.floor(from / PIECE)
  return Array.from({ length: Math.floor(to / PIECE) - first + 1 }, (_, i) => first + i)
}
