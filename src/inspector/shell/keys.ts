import { useLayoutEffect } from 'preact/hooks'
import { go, listQuery, place } from '../api/place.ts'
import { copyCommand } from './foot.tsx'
import { PAGES } from './pages.tsx'
import { showDialog } from './shortcuts.ts'

/** Handles the shortcuts of the help; single letters are ignored while typing. */
export function useKeys() {
  // Before the first rows appear: a passive effect waits for a frame, and a key that is pressed before it is lost.
  useLayoutEffect(() => {
    let isGoing = false
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return showDialog('palette')
      }
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      if (event.key === 'Escape' && isTyping && !target.closest('dialog'))
        return (target.closest<HTMLElement>('aside') ?? document.getElementById('main'))?.focus({ preventScroll: true })
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping || target.closest('dialog')) return
      const page = isGoing && PAGES.find(({ key }) => key === event.key)
      isGoing = !isGoing && event.key === 'g'
      if (page) return go({ page: page.name })
      if (SINGLE[event.key]?.()) event.preventDefault()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

/** What a single key does; true if it did. */
const SINGLE: Readonly<Record<string, () => boolean>> = {
  '/': () => focusOn(document.querySelector<HTMLElement>('main input[type=search]')),
  '?': () => {
    showDialog('help')
    return true
  },
  Escape: () => {
    const { id, query } = place.value
    if (query.selected) go({ ...(id === undefined ? {} : { id }), query: listQuery() })
    return query.selected !== undefined
  },
  c: () => {
    void copyCommand()
    return true
  },
  j: () => moveRow(1),
  k: () => moveRow(-1),
  ArrowDown: () => isOnRovingRow() && moveRow(1),
  ArrowUp: () => isOnRovingRow() && moveRow(-1),
}

/** In a list whose rows are one tab stop, the arrow keys reach the others; elsewhere they scroll. */
const isOnRovingRow = () => document.activeElement?.matches('[data-row][tabindex]') ?? false

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
  return element !== null && element !== undefined
}

/** Focuses the link of the next or previous row. */
function moveRow(by: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const focused = links.indexOf(document.activeElement as HTMLElement)
  // After a click elsewhere, the open row is where the reader is.
  const at = focused === -1 ? links.findIndex((link) => link.closest('[aria-current=true]')) : focused
  return focusOn(links[at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by])
}
