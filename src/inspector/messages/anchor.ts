/** The visible part of a list of rows with equal heights. */
export interface View {
  topPx: number
  heightPx: number
}

/**
 * Where a list must be scrolled when the height of its rows changes, so that a row stays where it was seen. The row is the
 * selected one if it is visible, and otherwise the first visible one.
 */
export function topAfter({ topPx, heightPx }: View, from: number, to: number, selected: number | undefined): number {
  const isVisible = selected !== undefined && (selected + 1) * from > topPx && selected * from < topPx + heightPx
  const row = isVisible ? selected : Math.floor(topPx / from)
  const offset = Math.min(row * from - topPx, heightPx - to)
  return Math.max(0, row * to - offset)
}
