import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isUnreachable } from '../api/client.ts'
import type { Describe } from '../api/outcome.ts'
import { type PageAction, perform } from '../api/page-action.ts'
import { type Confirmation, confirmed } from './confirm.tsx'
import { useFootCommand } from './foot-command.ts'
import { Refusal } from './parts.tsx'

interface Common {
  act: PageAction
  children: ComponentChildren
  /** Describes the result in a few words; by default with the name of the button. */
  describe?: Describe | undefined
  then?: ((answer: never) => void) | undefined
  /** Called with a refusal, if a form shows it next to its fields. */
  refused?: ((error: Error) => void) | undefined
  /** Why the action is impossible; the disabled button shows it. */
  because?: string | undefined
  label?: string | undefined
  class?: string
  pressed?: boolean | undefined
  /** Whether Enter in a field of the form presses it. */
  submits?: boolean
}

/** What will be lost: the action runs once the user has confirmed. A red button always asks. */
type Props = Common &
  (
    | { kind: 'danger'; confirm: Confirmation }
    | { kind?: 'plain' | 'main' | 'quiet'; confirm?: Confirmation | undefined }
  )

/** A button for one action. Its tooltip and the foot of the page show the equivalent command. */
export function ActionButton(props: Props) {
  const { act, children, then, refused, because, confirm, kind = 'plain', label, pressed, submits } = props
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Error>()
  const { command, show, events } = useFootCommand(act, because)
  const name = label ?? String(children)
  const { describe = () => (pressed === undefined ? `${name}: done.` : `“${name}” is ${pressed ? 'off' : 'on'}.`) } =
    props
  async function press() {
    show()
    if (because || isBusy) return
    if (confirm && !(await confirmed(confirm, command))) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const answer = await perform(act, describe)
      setBusy(false)
      ;(then as ((answer: unknown) => void) | undefined)?.(answer)
    } catch (error) {
      setBusy(false)
      if (refused && !isUnreachable(error as Error)) refused(error as Error)
      else setRefusal(error as Error)
    }
  }
  return (
    <>
      <button
        type={submits ? 'submit' : 'button'}
        class={`button ${kind} ${props.class ?? ''}`}
        title={because ?? `$ ${command}`}
        aria-label={label}
        aria-disabled={because !== undefined}
        aria-busy={isBusy}
        aria-pressed={pressed}
        data-command={command}
        onClick={press}
        {...events}
      >
        {children}
      </button>
      {refusal && <Refusal>{refusal.message}</Refusal>}
    </>
  )
}

/** A switch: its name stays, its state changes. */
export const Switch = ({ act, on, label }: { act: PageAction; on: boolean; label: string }) => (
  <ActionButton act={act} pressed={on} class="toggle">
    {label}
  </ActionButton>
)

/** Removes the record of a row. */
export const RemoveButton = ({
  act,
  label,
  word = 'Remove',
  lost,
}: {
  act: PageAction
  label: string
  word?: string
  lost: string
}) => (
  <ActionButton act={act} kind="quiet" class="small" label={label} confirm={{ title: `${label}?`, lost }}>
    {word}
  </ActionButton>
)

/** Sets the record of a row back to its defaults. */
export const ResetButton = ({
  act,
  name,
  because,
}: {
  act: PageAction
  name: string
  because?: string | undefined
}) => (
  <ActionButton act={act} kind="quiet" class="small" label={`Reset ${name}`} because={because}>
    Reset
  </ActionButton>
)

/** Removes all rows of a panel. */
export const ClearAllButton = ({
  act,
  rows,
  what,
}: {
  act: PageAction
  rows: readonly unknown[] | undefined
  what: string
}) => (
  <ActionButton
    act={act}
    kind="quiet"
    class="small"
    because={rows?.length === 0 ? `There are no ${what}.` : undefined}
    confirm={{
      title: `Remove all ${what}?`,
      lost: rows ? `${rows.length} ${what} will be removed, each with its counts.` : `All ${what} will be removed.`,
    }}
  >
    Clear all
  </ActionButton>
)
