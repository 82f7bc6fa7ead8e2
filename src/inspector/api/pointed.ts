import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { onAction } from './page-action.ts'
import { later } from './time.ts'

/** Who moves a mouse over a list, or has touched it, may be about to click. */
const AIM_MS = 3_000

/** Whether somebody moves a mouse or a finger over a list, whose rows must not move before the click. An own action ends that. */
export function usePointed(box: RefObject<HTMLElement | null>): boolean {
  const [isPointed, setPointed] = useState(false)
  useEffect(() => {
    let hasActed = false
    let cancel = () => {}
    const follow = ({ pointerType, target }: PointerEvent) => {
      const isInside = box.current?.contains(target as Node) ?? false
      // A mouse stays where it has clicked; a finger that is there again aims again.
      if (!isInside || pointerType === 'touch') hasActed = false
      cancel()
      setPointed(isInside && !hasActed)
      cancel = later(AIM_MS, () => setPointed(false))
    }
    const stop = onAction(() => {
      hasActed = true
      setPointed(false)
    })
    // A tap moves nothing, and the browser takes over a finger that scrolls.
    const events = ['pointerdown', 'pointermove'] as const
    for (const name of events) addEventListener(name, follow)
    return () => {
      stop()
      cancel()
      for (const name of events) removeEventListener(name, follow)
    }
  }, [])
  return isPointed
}
