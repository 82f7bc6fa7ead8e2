import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { commandOf, type PageAction, perform } from '../api/page-action.ts'

/** The command of the pointed or focused element, shown at the foot. */
export const hint = signal<string | undefined>(undefined)

interface Props {
  act: PageAction
  children: ComponentChildren
  /** Describes the result in a few words. */
  says?: ((answer: never) => string) | undefined
  then?: ((answer: never) => void) | undefined
  /** Why the action is impossible; the disabled button shows it. */
  because?: string | undefined
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  label?: string | undefined
  class?: string
  pressed?: boolean | undefined
}

/** A button for one action. Its tooltip and the foot of the page show the equivalent command. */
export function ActionButton({
  act,
  children,
  says,
  then,
  because,
  kind = 'plain',
  label,
  class: name = '',
  pressed,
}: Props) {
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

/** Removes the record of a row. */
export const RemoveButton = ({ act, label }: { act: PageAction; label: string }) => (
  <ActionButton act={act} kind="quiet" class="small" label={label}>
    ✕
  </ActionButton>
)

/** Removes all rows of a panel. */
export const ClearAllButton = ({ act, rows }: { act: PageAction; rows: readonly unknown[] | undefined }) => (
  <ActionButton act={act} kind="quiet" class="small" because={rows?.length === 0 ? 'There is none.' : undefined}>
    Clear all
  </ActionButton>
)
