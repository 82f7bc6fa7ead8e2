import { useState } from 'preact/hooks'
import type { FieldProblem } from '../api/client.ts'
import type { FormField } from '../api/schema.ts'
import { hintOf } from './field-text.ts'
import { Refusal } from './parts.tsx'

interface ControlProps {
  id: string
  field: FormField
  text: string
  set: (text: string) => void
}

/** A field with its name, its description and what is wrong with it. */
export function ContractField({ problems, ...control }: ControlProps & { problems: readonly FieldProblem[] }) {
  const { id, field } = control
  const { name, isRequired, description } = field
  return (
    <div class="field wide">
      <label for={id}>
        {name}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <Control {...control} isInvalid={problems.length > 0} />
      <span class="hint" id={`${id}-hint`}>
        {description}
      </span>
      <span id={`${id}-problems`}>
        {problems.map(({ field: path, message }) => (
          <Refusal key={path}>{path === name ? message : `${path}: ${message}`}</Refusal>
        ))}
      </span>
    </div>
  )
}

function Control({ id, field, text, set, isInvalid }: ControlProps & { isInvalid: boolean }) {
  const { kind, choices, isRequired } = field
  const [isShown, setShown] = useState(false)
  const described = `${id}-hint ${id}-problems`
  const common = { id, 'aria-invalid': isInvalid, 'aria-describedby': described, required: isRequired, value: text }
  if (kind === 'choice' || kind === 'boolean')
    return (
      <select {...common} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">{isRequired ? 'choose…' : 'not set'}</option>
        {choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    )
  // An input of one line would remove the line breaks of a text.
  if (kind === 'json' || text.includes('\n'))
    return (
      <>
        <textarea
          {...common}
          class={kind === 'json' ? 'mono' : undefined}
          rows={Math.min(20, Math.max(4, text.split('\n').length))}
          spellcheck={kind !== 'json'}
          placeholder={hintOf(field)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
        {text === '' && field.example !== undefined && (
          <button
            type="button"
            class="button quiet small"
            aria-label={`Use the example of ${field.name}`}
            onClick={() => set(JSON.stringify(field.example, null, 2))}
          >
            Use the example
          </button>
        )}
      </>
    )
  const input = {
    ...common,
    inputMode: kind === 'number' ? ('decimal' as const) : undefined,
    placeholder: hintOf(field),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
  }
  if (!isSecret(field)) return <input {...input} />
  return (
    <span class="line">
      {isShown ? <input {...input} /> : <input {...input} type="password" autocomplete="off" />}
      <button type="button" class="button small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        Show
      </button>
    </span>
  )
}

export const isSecret = ({ name }: FormField) => name === 'secret'
