import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'

/** The newest value, except while the focus is in the box: what somebody types into or reads there is not replaced. */
export function useUnlessInUse<T>(newest: T, box: RefObject<HTMLElement | null>): T {
  const shown = useRef(newest)
  if (!box.current?.contains(document.activeElement)) shown.current = newest
  return shown.current
}
