import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A modal dialog; the focus returns to where it was. */
export function Dialog({
  title,
  close,
  class: name = '',
  hidesTitle = false,
  children,
}: {
  title: string
  close: () => void
  class?: string
  hidesTitle?: boolean
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** Selecting text may end outside, where it must close nothing. */
  const isPressedOutside = useRef(false)
  // Not after the next paint: an Escape right after the click would find nothing to close.
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    // While it is open, nothing behind it can have the focus.
    return () => element.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; a click outside is a convenience.
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => event.target === dialog.current && isPressedOutside.current && close()}
    >
      <div class="dialog-body">
        {!hidesTitle && <h2>{title}</h2>}
        {children}
      </div>
    </dialog>
  )
}
