/** Moves the focus to the page when the focused element disappears, instead of losing it to the body. */
export function keepFocus(): () => void {
  let focused: Element | null = null
  const remember = (event: FocusEvent) => {
    focused = event.target as Element
  }
  const watcher = new MutationObserver(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    focused = null
    document.getElementById('main')?.focus({ preventScroll: true })
  })
  addEventListener('focusin', remember)
  watcher.observe(document.getElementById('app')!, { childList: true, subtree: true })
  return () => {
    removeEventListener('focusin', remember)
    watcher.disconnect()
  }
}
