import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { onAction } from './page-action.ts'
import { later } from './time.ts'

/** Who moves a mouse over a list may be about to click. */
const AIM_MS = 3_000

/** Whether somebody moves a mouse over a list, whose rows must not move before the click. An own action ends that. */
export function usePointed(box: RefObject<HTMLElement | null>): boolean {
  const [isPointed, setPointed] = useState(false)
  useEffect(() => {
    let hasActed = false
    let cancel = () => {}
    const follow = ({ pointerType, target }: PointerEvent) => {
      const isInside = box.current?.contains(target as Node) ?? false
      if (!isInside) hasActed = false
      cancel()
      setPointed(isInside && !hasActed && pointerType !== 'touch')
      cancel = later(AIM_MS, () => setPointed(false))
    }
    const stop = onAction(() => {
      hasActed = true
      setPointed(false)
    })
    addEventListener('pointermove', follow)
    return () => {
      stop()
      cancel()
      removeEventListener('pointermove', follow)
    }
  }, [])
  return isPointed
}
