import { commandOf, type PageAction, perform } from '../api/page-action.ts'
import { hint } from './action-button.tsx'

interface Props {
  label: string
  value: string
  /** The action for an edited text. */
  act: (text: string) => PageAction
  /** The value of an empty field; without it an empty field changes nothing. */
  empty?: string
  class?: string
}

/** An editable table cell. Leaving it saves; a refusal restores the old value. */
export function EditableValue({ label, value, act, empty, class: name = 'short' }: Props) {
  const show = (text: string) => {
    hint.value = commandOf(act(text || empty || value))
  }
  return (
    <input
      class={name}
      aria-label={label}
      defaultValue={value}
      placeholder={empty}
      key={value}
      onFocus={({ currentTarget }) => show(currentTarget.value)}
      onInput={({ currentTarget }) => show(currentTarget.value)}
      onBlur={() => {
        hint.value = undefined
      }}
      onChange={async ({ currentTarget }) => {
        const text = currentTarget.value.trim()
        if (text === value || (text === '' && empty === undefined)) currentTarget.value = value
        else if ((await perform(act(text))) === undefined) currentTarget.value = value
      }}
    />
  )
}
