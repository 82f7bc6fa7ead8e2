import { useState } from 'preact/hooks'
import { type PageAction, tryPerform } from '../api/page-action.ts'
import { useFootCommand } from './foot-command.ts'
import { Refusal } from './parts.tsx'

interface Props {
  label: string
  value: string
  /** The action for an edited text. */
  act: (text: string) => PageAction
  /** The value of an empty field; without it an empty field changes nothing. */
  empty?: string
  class?: string
}

/** An editable table cell. Leaving it saves; a refusal is shown below it until the text changes. */
export function EditableValue({ label, value, act, empty, class: name = 'short' }: Props) {
  const [text, setText] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const { show, events } = useFootCommand(act((text ?? value) || (empty === undefined ? value : '')))
  return (
    <>
      <input
        class={name}
        aria-label={label}
        aria-invalid={refusal !== undefined}
        value={text ?? value}
        placeholder={empty}
        {...events}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setRefusal(undefined)
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return
          setText(undefined)
          setRefusal(undefined)
        }}
        onChange={async ({ currentTarget }) => {
          const wanted = currentTarget.value.trim()
          show()
          if (wanted === value || (wanted === '' && empty === undefined)) return setText(undefined)
          const refused = await tryPerform(act(wanted), () => `${label}: ${wanted || empty}.`)
          setRefusal(refused)
          if (!refused) setText(undefined)
        }}
      />
      {refusal && <Refusal>{refusal}</Refusal>}
    </>
  )
}
