import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Act, commandOf, perform } from '../api/act.ts'

/** The command of what is pointed at or focused, shown at the foot of the page. */
export const hint = signal<string | undefined>(undefined)

interface Props {
  act: Act
  children: ComponentChildren
  /** What came of it, in a few words. */
  says?: ((answer: never) => string) | undefined
  then?: ((answer: never) => void) | undefined
  /** Why it cannot be done now; the button then does nothing, and says so. */
  because?: string | undefined
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  label?: string | undefined
  class?: string
  pressed?: boolean | undefined
}

/** A button that does one act. The command that does the same stands in its tooltip and at the foot of the page. */
export function Do({ act, children, says, then, because, kind = 'plain', label, class: name = '', pressed }: Props) {
  const [isBusy, setBusy] = useState(false)
  const command = commandOf(act)
  async function press() {
    if (because || isBusy) return
    setBusy(true)
    const answer = await perform(act, says as ((answer: unknown) => string) | undefined)
    setBusy(false)
    if (answer !== undefined) (then as ((answer: unknown) => void) | undefined)?.(answer)
  }
  const show = () => {
    hint.value = command
  }
  const hide = () => {
    if (hint.value === command) hint.value = undefined
  }
  return (
    <button
      type="button"
      class={`button ${kind} ${name}`}
      title={because ?? `$ ${command}`}
      aria-label={label}
      aria-disabled={because !== undefined}
      aria-busy={isBusy}
      aria-pressed={pressed}
      data-command={command}
      onClick={press}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children}
    </button>
  )
}
