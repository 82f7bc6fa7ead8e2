import { type Act, commandOf, perform } from '../api/act.ts'
import { hint } from './do.tsx'

interface Props {
  label: string
  value: string
  /** What is done with the text that was written. */
  act: (text: string) => Act
  /** What an empty field stands for; without it an empty field changes nothing. */
  empty?: string
  class?: string
}

/** A value of a table that is written over. It is saved when one leaves it; a refusal puts the old one back. */
export function Edited({ label, value, act, empty, class: name = 'short' }: Props) {
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
